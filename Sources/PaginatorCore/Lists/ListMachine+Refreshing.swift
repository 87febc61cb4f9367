// Loading anew.
extension ListMachine {
    mutating func refresh(_ refresh: PaginatorListRefresh, at time: PaginatorInstant) {
        hasRestarted = false
        guard !slots.isEmpty else { return loadFirst() }
        switch refresh.kind {
        case .all:
            guard running[.first] == nil else { return }
            let key = config.initialKey ?? firstKey
            start(Load(id: makeNumber(), purpose: .first, identity: identity(key), isRefresh: true))
        case .firstPage:
            if let first = tree.first, droppedBefore.isEmpty {
                refreshPage(at: first, batch: makeNumber())
            } else {
                self.refresh(.all, at: time)
            }
        case .page(let key):
            if let rank = ranks[identity(key)] { refreshPage(at: rank, batch: makeNumber()) }
        case .stalePages:
            refreshPages { slot in slot.staleFrom.map { $0 <= time } ?? false }
        case .keepingPlace:
            refreshPages { _ in true }
        }
    }

    private mutating func refreshPages(where isWanted: (Slot) -> Bool) {
        let batch = makeNumber()
        let middle = visibleRank ?? tree.first ?? 0
        let wanted = slots.filter { isWanted($0.value) }.keys
        // What is visible first, then outward.
        for rank in wanted.sorted(by: {
            ($0.distance(to: middle).magnitude, $0) < ($1.distance(to: middle).magnitude, $1)
        }) {
            refreshPage(at: rank, batch: batch)
        }
    }

    mutating func refreshPage(at rank: Int, batch: UInt64) {
        guard let slot = slots[rank], running[.page(slot.identity)] == nil else { return }
        let key = effectiveKey(of: slot, at: rank)
        start(
            Load(
                id: makeNumber(), purpose: .page(slot.identity), identity: identity(key), isRefresh: true,
                batch: batch))
    }

    /// Empties the list and stops its loads; edits that are pending stay.
    mutating func reset() {
        cancelLoads()
        failures = []
        hasRestarted = false
        visible = nil
        hintDuringFirstLoad = nil
        removeAllSlots()
        forgetSettledRows()
        updateEdges()
    }

    /// Takes away the local rows that the source has by now.
    mutating func forgetSettledRows() {
        for (id, row) in local where row.token == nil { removeLocal(id) }
    }

    mutating func removeAllSlots() {
        touches = ListTouches()
        touches.isEverything = true
        if config.windowItems != nil {
            for slot in slots.values { actions.append(.unpin(slot.identity)) }
        }
        steps += slots.count
        slots = [:]
        ranks = [:]
        dirty = []
        relinked = []
        let work = tree.visits
        tree = Tree()
        steps += work
        droppedBefore = []
        droppedAfter = []
        dropped = []
        leadingShift = 0
        let kept = local.isEmpty ? [:] : entries.filter { local[$0.key] != nil }
        entries.removeAll(keepingCapacity: true)
        for (id, entry) in kept {
            entries[id] = entry
            entries[id]?.holders = ListHolders()
        }
    }
}
