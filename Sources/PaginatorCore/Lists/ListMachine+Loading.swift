// Which pages are asked for.
extension ListMachine {
    func identity(_ key: String) -> PageIdentity {
        PageIdentity(key: key, pageSize: config.pageSize, scope: config.scope)
    }

    /// Whether the list has a page, loaded or dropped.
    func has(_ identity: PageIdentity) -> Bool { ranks[identity] != nil || dropped.contains(identity) }

    mutating func loadNext(isAhead: Bool) {
        guard let last = tree.last, let slot = slots[last] else { return loadFirst() }
        guard running[.next] == nil else { return isAhead ? () : wait(for: .next) }
        if let page = droppedAfter.last {
            return bringBack(page, .next, shiftBefore: leadingShift + tree.total.shift, isAhead: isAhead)
        }
        guard let key = effectiveNext(of: slot, at: last), !slot.isNextRepeated else { return }
        guard !has(identity(key)) else {
            slots[last]?.isNextRepeated = true
            notices.append(.repeatedKey(key))
            return updateEdges()
        }
        start(Load(id: makeNumber(), purpose: .next, identity: identity(key), isAhead: isAhead))
    }

    mutating func loadPrevious(isAhead: Bool) {
        guard let first = tree.first, let slot = slots[first] else { return loadFirst() }
        guard running[.previous] == nil else { return isAhead ? () : wait(for: .previous) }
        if let page = droppedBefore.last {
            return bringBack(page, .previous, shiftBefore: leadingShift - page.shift, isAhead: isAhead)
        }
        guard let key = effectivePrevious(of: slot, at: first), !slot.isPreviousRepeated else { return }
        guard !has(identity(key)) else {
            slots[first]?.isPreviousRepeated = true
            notices.append(.repeatedKey(key))
            return updateEdges()
        }
        start(Load(id: makeNumber(), purpose: .previous, identity: identity(key), isAhead: isAhead))
    }

    /// Makes a load that runs ahead one that somebody waits for: a fetch that does joins it, before it is let go.
    private mutating func wait(for purpose: Purpose) {
        guard let load = running[purpose], load.isAhead else { return }
        end(load.id)
        var urgent = renumbered(load)
        urgent.isAhead = false
        urgent.isPreviewed = load.isPreviewed
        start(urgent)
        actions.append(.cancel(load.id))
    }

    mutating func loadFirst() {
        guard running[.first] == nil else { return }
        start(Load(id: makeNumber(), purpose: .first, identity: identity(config.initialKey ?? firstKey)))
    }

    /// Asks for a dropped page, by its old key in the caches alone when edits have moved its place since.
    private mutating func bringBack(
        _ page: DroppedPage<ID>, _ purpose: Purpose, shiftBefore: Int, isAhead: Bool
    ) {
        var load = Load(id: makeNumber(), purpose: purpose, identity: page.identity, isAhead: isAhead)
        let shift = shiftBefore - page.shiftBeforeAtFetch
        if config.addressing == .offset, shift != 0 {
            load.shiftedKey = shifted(page.identity.key, by: shift)
            load.isCacheOnly = true
        }
        start(load)
    }

    mutating func jump(to key: String, _ placement: PaginatorListPlacement) {
        let identity = identity(key)
        if let rank = ranks[identity] {
            visible = tree.find(rank)?.payload.rows.first.map { VisibleRange(first: $0.id, last: $0.id) } ?? visible
            return
        }
        guard !slots.isEmpty else {
            guard running[.first] == nil else { return }
            return start(Load(id: makeNumber(), purpose: .first, identity: identity))
        }
        guard running[.jump(key)] == nil else { return }
        // Where it lies among dropped pages is not known any more: they are forgotten, and loaded anew by their keys.
        start(Load(id: makeNumber(), purpose: .jump(key), identity: identity, placement: placement))
    }

    /// Loads the page at one end of the gap that lies at a position of the content.
    mutating func fillGap(at position: Int, fromStart: Bool) {
        guard let rank = rankWithGap(at: position), let slot = slots[rank], !slot.isLinkedToNext,
            let following = tree.rank(after: rank), let right = slots[following]
        else { return }
        let purpose = Purpose.gap(slot.identity, fromStart: fromStart)
        guard running[purpose] == nil else { return }
        let keys = [effectiveNext(of: slot, at: rank), effectivePrevious(of: right, at: following)]
        let wanted = (fromStart ? keys : keys.reversed()).compactMap { $0.map(self.identity) }
        if let missing = wanted.first(where: { !has($0) }) {
            start(Load(id: makeNumber(), purpose: purpose, identity: missing))
        } else if wanted.contains(right.identity) {
            // The keys join and the items do not: one side is out of date.
            refreshPage(at: following, batch: batch(of: rank))
        } else if wanted.contains(slot.identity) {
            refreshPage(at: rank, batch: batch(of: following))
        } else if let repeated = wanted.first {
            notices.append(.repeatedKey(repeated.key))
        }
    }

    /// The slot whose rows end at a position, and behind which there is a gap.
    private func rankWithGap(at position: Int) -> Int? {
        guard position >= head.rows.count else { return nil }
        let end = position - head.rows.count
        var rank = end > 0 ? tree.place(ofRow: end - 1)?.rank : tree.first
        while let current = rank, let place = tree.place(of: current) {
            guard place.before.rows + place.payload.rows.count == end else { return nil }
            if place.payload.isFollowedByGap { return current }
            rank = tree.rank(after: current)
        }
        return nil
    }

    /// Returns the refresh that a page came with, making it one of its own where it came with none.
    private mutating func batch(of rank: Int) -> UInt64 {
        if let batch = slots[rank]?.batch, batch != 0 { return batch }
        let batch = makeNumber()
        slots[rank]?.batch = batch
        return batch
    }

    /// Starts again what failed, and nothing else.
    mutating func retry() {
        let failed = failures
        failures = []
        for failure in failed {
            var load = failure.load
            load.isAhead = false
            load.isPreviewed = false
            if running[load.purpose] == nil { start(renumbered(load)) }
        }
    }

    func renumbered(_ load: Load) -> Load {
        Load(
            id: lastNumber &+ 1, purpose: load.purpose, identity: load.identity, placement: load.placement,
            isRefresh: load.isRefresh, isRestart: load.isRestart, isAhead: load.isAhead, shiftedKey: load.shiftedKey,
            isCacheOnly: load.isCacheOnly, batch: load.batch, bookmark: load.bookmark)
    }

    mutating func start(_ load: Load) {
        lastNumber = max(lastNumber, load.id)
        failures.removeAll { $0.load.purpose == load.purpose }
        running[load.purpose] = load
        purposes[load.id] = load.purpose
        var request = PageRequest(
            key: load.identity.key, pageSize: load.identity.pageSize, scope: load.identity.scope,
            priority: load.isAhead ? .low : config.priority, policy: config.policy)
        request.isPrefetch = load.isAhead
        if load.isCacheOnly { request.policy = .cacheOnly }
        actions.append(.fetch(load.id, request, isRefresh: load.isRefresh))
    }

    /// Takes a load out, so that its answer is ignored.
    @discardableResult
    mutating func end(_ id: UInt64) -> Load? {
        guard let purpose = purposes.removeValue(forKey: id) else { return nil }
        return running.removeValue(forKey: purpose)
    }

    mutating func cancelLoads() {
        for load in running.values.sorted(by: { $0.id < $1.id }) {
            end(load.id)
            actions.append(.cancel(load.id))
        }
    }

    mutating func failed(_ id: UInt64, _ error: PaginatorError) {
        guard var load = end(id) else { return }
        if load.isCacheOnly, let key = load.shiftedKey {
            load.isCacheOnly = false
            load.shiftedKey = nil
            load.identity = identity(key)
            guard ranks[load.identity] != nil else { return start(renumbered(load)) }
            // The list has by now what lay there; the page beyond it is wanted.
            _ = takeDropped(atStart: load.purpose == .previous)
            return load.purpose == .previous ? loadPrevious(isAhead: load.isAhead) : loadNext(isAhead: load.isAhead)
        }
        guard error.code != .cancelled else { return }
        if error.code == .expiredKey, !hasRestarted, !load.identity.key.hasSameBytes(as: firstKey) {
            return restart()
        }
        failures.removeAll { $0.load.purpose == load.purpose }
        failures.append(Failure(load: load, error: error))
    }

    /// Begins again from the source's first key; what is shown stays until the page has come.
    private mutating func restart() {
        hasRestarted = true
        notices.append(.restarted)
        cancelLoads()
        failures = []
        start(
            Load(
                id: makeNumber(), purpose: .first, identity: identity(firstKey), isRefresh: true, isRestart: true))
    }
}
