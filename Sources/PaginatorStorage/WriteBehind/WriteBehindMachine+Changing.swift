import PaginatorCore

extension WriteBehindMachine {
    mutating func apply(_ changes: [StoreChange<T>], for waiter: Waiter) {
        if case .off(let error) = file { return act(.accept(waiter, error)) }
        let before = sequence
        var lost = 0
        for change in changes {
            // Callers that wait for `accepted` stop earlier. This bounds callers that do not.
            if case .save(let identity, _) = change, isFull(times: 4) {
                lost += 1
                // A removal, because the file may have an earlier page, which must not be loaded.
                append(.remove(.identity(identity)))
            } else {
                append(change)
            }
        }
        let error =
            lost == 0
            ? nil
            : PaginatorError(.storeFailed, "\(lost) pages were not stored: too many changes are waiting already.")
        if isFull(times: 1) {
            acceptWaiters.append((waiter, before + 1..<sequence + 1, error))
            if trouble.failures > 0 || log.count > changeLimit { shed() }
        } else {
            act(.accept(waiter, error))
        }
        lingerOrCommit()
    }

    mutating func flush(for waiter: Waiter) {
        if case .off(let error) = file { return act(.flushed(waiter, error)) }
        // Even without pending changes, earlier commits may not be durable.
        guard pendingChanges > 0 || isDirty || !uses.isEmpty || writing.commit != nil else {
            return act(.flushed(waiter, nil))
        }
        flushWaiters.append((waiter, sequence))
        wantsCommit = true
        advance()
    }

    func isFull(times factor: Int) -> Bool {
        pendingChanges >= config.maxPendingChanges * factor || pendingBytes >= config.maxPendingBytes * factor
    }

    /// With more waiting changes everything is removed instead.
    private var changeLimit: Int { max(config.leastChangeLimit, 16 * config.maxPendingChanges) }

    mutating func append(_ change: StoreChange<T>) {
        // Behind a removal of everything there is nothing to remove or to invalidate.
        if case .remove(.all)? = log.last?.change, change.onlyTakesAway { return }
        sequence += 1
        let entry = Entry(sequence: sequence, change: change)
        log.append(entry)
        pendingBytes += entry.cost
        overlay(entry)
    }

    /// Makes a change visible to loads.
    private mutating func overlay(_ entry: Entry) {
        switch entry.change {
        case .save(let identity, let page):
            // The earlier page after the earlier changes.
            overlays[identity] = Overlay(sequence: entry.sequence, page: page)
            single[identity] = nil
        case .remove(.identity(let identity)):
            overlays[identity] = Overlay(sequence: entry.sequence, page: nil)
            single[identity] = nil
        case .remove(let selection):
            // They stay as removals, because the file may have earlier versions until this is committed.
            for identity in overlays.keys where selection.contains(identity) {
                overlays[identity] = Overlay(sequence: entry.sequence, page: nil)
            }
            selective.append(entry)
        case .invalidate(let selection): patch(selection, entry) { $0.invalidated = $0.invalidated ?? entry.sequence }
        case .invalidateTags(let tags):
            patch(.all, entry) { overlay in
                guard overlay.page?.page.hasTag(in: tags) == true else { return }
                overlay.invalidated = overlay.invalidated ?? entry.sequence
            }
        case .edit(let selection, let edit): patch(selection, entry) { $0.edits.append((entry.sequence, edit)) }
        }
    }

    private mutating func patch(_ selection: PageSelection, _ entry: Entry, _ body: (inout Overlay) -> Void) {
        if case .identity(let identity) = selection {
            if var overlay = overlays[identity] {
                // An edit of a removed page changes nothing.
                if overlay.page != nil { body(&overlay) }
                overlays[identity] = overlay
            } else {
                single[identity, default: []].append(entry)
            }
            return
        }
        for (identity, known) in overlays where known.page != nil && selection.contains(identity) {
            var overlay = known
            body(&overlay)
            overlays[identity] = overlay
        }
        selective.append(entry)
    }

    /// Drops changes that later ones replace, and the oldest saves until the bounds hold. Each of those becomes a
    /// removal, so that no older page is loaded. With too many changes it drops everything.
    mutating func shed() {
        // Only when the log has more than three per page, because this takes O(log) and leaves up to two.
        if log.count(where: { $0.page != nil }) > 3 * overlays.count { dropReplaced() }
        // Down to half, so that the next change does not drop again.
        var saves = log.count { $0.isSave }
        var lost: [UInt64] = []
        for index in log.indices where saves > config.maxPendingChanges / 2 || pendingBytes >= config.maxPendingBytes {
            guard case .save(let identity, _) = log[index].change else { continue }
            saves -= 1
            pendingBytes -= log[index].cost
            lost.append(log[index].sequence)
            log[index].change = .remove(.identity(identity))
            if let overlay = overlays[identity], overlay.sequence == log[index].sequence {
                overlays[identity] = Overlay(sequence: overlay.sequence, page: nil)
            }
        }
        let dropsAll = log.count > changeLimit
        if dropsAll { collapse() }
        let error = PaginatorError(
            .storeFailed,
            dropsAll
                ? "Everything is removed from the store, because too many changes are waiting."
                : "\(lost.count) pages were not stored: the store has been failing.")
        var isTold = lost.isEmpty && !dropsAll
        for waiting in acceptWaiters {
            // Only for its own changes: whoever is told that one is lost takes its page out of the store.
            let hasLost = dropsAll || lost.contains(where: waiting.changes.contains)
            isTold = isTold || hasLost
            act(.accept(waiting.waiter, waiting.error ?? (hasLost ? error : nil)))
        }
        if !isTold { act(.report(error)) }
        acceptWaiters = []
        guard dropsAll else { return }
        // Their changes may have been accepted earlier.
        for waiting in flushWaiters { act(.flushed(waiting.waiter, error)) }
        flushWaiters = []
    }

    /// Replaces all saves and removals of a page but the last by one removal, in the place of the first.
    private mutating func dropReplaced() {
        var last: [PageIdentity: UInt64] = [:]
        for entry in log { if let page = entry.page { last[page] = entry.sequence } }
        var removed: Set<PageIdentity> = []
        let before = log
        log = before.compactMap { entry -> Entry? in
            guard let page = entry.page, last[page] != entry.sequence else { return entry }
            // What the file has may be older than the changes in between.
            return removed.insert(page).inserted
                ? Entry(sequence: entry.sequence, change: .remove(.identity(page))) : nil
        }
        pendingBytes -= before.reduce(0) { $0 + $1.cost } - log.reduce(0) { $0 + $1.cost }
    }

    /// Replaces all waiting changes by the removal of everything: the last bound on memory.
    private mutating func collapse() {
        for entry in log { pendingBytes -= entry.cost }
        log = []
        overlays = [:]
        single = [:]
        selective = []
        append(.remove(.all))
        // It is not known any more whether their pages have the dropped changes.
        endWaitingLoads()
    }
}

extension StoreChange {
    fileprivate var onlyTakesAway: Bool {
        switch self {
        case .remove, .invalidate, .invalidateTags: true
        case .save, .edit: false
        }
    }
}

extension WriteBehindMachine.Entry {
    /// The cost of a change for the bounds: about the memory of its page.
    var cost: Int {
        // A source may state any number; the sum of a few must not overflow.
        if case .save(_, let stored) = change { min(max(512, stored.page.byteCount), .max / 4) } else { 0 }
    }

    var isSave: Bool {
        if case .save = change { true } else { false }
    }

    /// The page of a save or a removal of one page.
    fileprivate var page: PageIdentity? {
        switch change {
        case .save(let identity, _), .remove(.identity(let identity)): identity
        case .remove, .invalidate, .invalidateTags, .edit: nil
        }
    }

    var selection: PageSelection {
        switch change {
        case .save(let identity, _): .identity(identity)
        case .remove(let selection), .invalidate(let selection), .edit(let selection, _): selection
        // The tags of pages in the file are unknown.
        case .invalidateTags: .all
        }
    }
}
