import PaginatorCore

// Switching the scope.
extension ListMachine {
    // Begins again with another scope, like a new list. With `keepsRows` the old rows stay until the first page
    // arrives, in a machine of their own that loads nothing, so no page of the old scope can arrive.
    mutating func show(_ scope: String, initialKey: String?, keepsRows: Bool, at time: PaginatorInstant) {
        cancelLoads()
        var next = ListMachine(config: config, firstKey: firstKey, needsConnection: needsConnection)
        next.config.scope = scope
        next.config.initialKey = initialKey
        next.startedAt = time
        next.refreshes = refreshes
        next.refreshes[ExactText(config.scope)] = refreshedAt
        next.refreshedAt = next.refreshes[ExactText(scope)]
        (next.lastNumber, next.rankStep, next.visible) = (lastNumber, rankStep, visible)
        next.visible?.jump = nil
        next.replacements = replacements
        (next.conditions, next.isPrefetchPaused, next.distance) = (conditions, isPrefetchPaused, distance)
        // Edits of items apply in any scope; an inserted row belongs to the old one.
        next.pending = pending.compactMapValues { edits in
            let edits = edits.filter { $0.insert == nil }
            return edits.isEmpty ? nil : edits
        }
        let tokens = Set(next.pending.values.joined().map(\.token))
        next.tokens = self.tokens.filter { tokens.contains($0.key) }
        (next.actions, next.notices) = (actions, notices)
        if config.windowItems != nil { next.actions += seats.values.map { .unpin($0.identity) } }
        // During an unfinished switch, the rows from before it are shown.
        var shown = seats.isEmpty ? kept : [self]
        if keepsRows, !shown.isEmpty {
            next.touches = touches
            shown[0].becomeReadOnly()
            next.kept = shown
        } else {
            next.touches = nil
        }
        next.start(next.makeFirstLoad(), isDebounced: true)
        self = next
    }

    private mutating func becomeReadOnly() {
        (failures, actions, notices, touches, restoreTarget) = ([], [], [], [], nil)
        // Otherwise an edit could request pages again.
        config.policy = .cacheOnly
    }

    // Applies edits to the kept rows, too.
    mutating func applyToKept(_ event: (inout ListMachine) -> Void) {
        guard !kept.isEmpty else { return }
        // Version numbers continue, so that two values of an item never have the same version.
        kept[0].lastNumber = lastNumber
        kept[0].handle(event)
        lastNumber = kept[0].lastNumber
        kept[0].actions = []
    }

    mutating func replaceKept() {
        guard !kept.isEmpty else { return }
        if seats.isEmpty {
            touches = touches.flatMap { kept[0].touches?.union($0) }
            kept[0].touches = []
        } else {
            kept = []
            touches = nil
        }
    }

    var shown: Tree { kept.first?.tree ?? tree }
}
