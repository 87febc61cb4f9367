import PaginatorCore

// The loads of a list, and when they start and end.
extension ListMachine {
    func identity(_ key: String) -> PageIdentity {
        PageIdentity(key: key, pageSize: config.pageSize, scope: config.scope)
    }

    // Handles a call for more rows at an end, which continues after empty pages.
    mutating func ask(at end: ListEnd) {
        emptyPages = 0
        asked.insert(end)
        load(at: end)
        if running[end.purpose] == nil, running[.first] == nil { asked.remove(end) }
    }

    mutating func loadNext(isAhead: Bool = false) { load(at: .end, isAhead: isAhead) }

    mutating func loadPrevious(isAhead: Bool = false) { load(at: .start, isAhead: isAhead) }

    // Loads the page beyond an end. If rows are hidden there, it shows them instead.
    mutating func load(at end: ListEnd, isAhead: Bool = false) {
        guard let rank = page(at: end), let seat = seats[rank] else { return loadFirst() }
        if revealRows(at: end) { return }
        let purpose = end.purpose
        guard running[purpose] == nil else { return isAhead ? () : wait(for: purpose) }
        if end == .end, seat.isPartial {
            // Its rest goes first. It may be being loaded already, as the first page or by a jump.
            return isLoading(seat.identity) ? () : reloadLast(seat, at: rank, isAhead: isAhead)
        }
        // Two pages with one key must not be on their way at once: the first to come would be taken for the other.
        let opposite = running[end.other.purpose]?.identity
        if let page = self[dropped: end].last {
            guard opposite != page.identity else { return }
            let shift = leadingShift + (end == .start ? -page.shifts.own : tree.total.shift)
            return bringBack(page, purpose, shiftBefore: shift, isAhead: isAhead)
        }
        let isRepeated = end == .start ? seat.isPreviousRepeated : seat.isNextRepeated
        let beyond = end == .start ? effectivePrevious(of: seat, at: rank) : effectiveNext(of: seat, at: rank)
        guard let key = beyond, !isRepeated else {
            return end == .start || isEndCertain ? () : reloadLast(seat, at: rank, isAhead: isAhead)
        }
        guard !isLoaded(key), !isDropped(key) else {
            if end == .end, seat.shifts.own != seat.shifts.ownAtFetch,
                key.hasSameBytes(as: effectiveKey(of: seat, at: rank))
            {
                // All of its rows were deleted, so the next page begins at the same offset.
                let isShared = ranks[identity(key)].map { $0 != rank } ?? false
                guard isShared else { return reloadLast(seat, at: rank, isAhead: isAhead) }
                // The same applies to the page before it.
                takeOut(rank)
                return loadNext(isAhead: isAhead)
            }
            if end == .start { seats[rank]?.isPreviousRepeated = true } else { seats[rank]?.isNextRepeated = true }
            notices.append(.repeatedKey(key))
            return hideFarRows()
        }
        guard opposite != identity(key) else { return }
        start(Load(id: makeNumber(), purpose: purpose, identity: identity(key), isAhead: isAhead))
    }

    // Requests the last page again if it is an older one in place of a failed load, or a part.
    private mutating func reloadLast(_ seat: ListSeat, at rank: Int, isAhead: Bool) {
        let identity = identity(effectiveKey(of: seat, at: rank))
        // The caches can only have the rest of a part.
        guard mayCallSource || seat.isPartial && identity == seat.identity else { return }
        guard identity == seat.identity else {
            _ = refreshPage(at: rank, number: makeNumber())
            return
        }
        start(
            Load(
                id: makeNumber(), purpose: .next, identity: identity, isRefresh: !seat.isPartial, isAhead: isAhead,
                notBefore: seat.notBefore, refreshNumber: seat.refreshNumber))
    }

    // Turns a prefetch into a load that a user waits for. The new fetch joins the old load before that is cancelled.
    private mutating func wait(for purpose: Purpose) {
        guard let load = running[purpose], load.isAhead else { return }
        end(load.id)
        var urgent = renumbered(load)
        urgent.isAhead = false
        // A stricter demand now would load the same page a second time.
        if case .sinceShift = urgent.cacheUse { urgent.cacheUse = .anyAge }
        urgent.isPreviewed = load.isPreviewed
        (urgent.isOutdated, urgent.unknownItems) = (load.isOutdated, load.unknownItems)
        start(urgent)
        actions.append(.cancel(load.id))
    }

    mutating func loadFirst() {
        guard running[.first] == nil else { return }
        start(makeFirstLoad())
    }

    mutating func makeFirstLoad(isRefresh: Bool = false) -> Load {
        Load(
            id: makeNumber(), purpose: .first, identity: identity(config.initialKey ?? firstKey), isRefresh: isRefresh)
    }

    // Requests a dropped page. If edits have shifted its key, the caches alone are read under the old key.
    private mutating func bringBack(_ page: DroppedPage, _ purpose: Purpose, shiftBefore: Int, isAhead: Bool) {
        var load = Load(id: makeNumber(), purpose: purpose, identity: page.identity, isAhead: isAhead)
        if !page.isOutdated { load.cacheUse = .anyAge }
        let shift = shiftBefore - page.shifts.beforeAtFetch
        if config.addressing == .offset, shift != 0 {
            load.cacheUse = .oldKey(then: shifted(page.identity.key, by: shift))
            // The cached page under the old key is another one, or older than the refresh of its neighbor.
            if page.isOutdated || demand(on: load).map({ page.fetchedAt < $0 }) ?? false { return askForShifted(load) }
        }
        start(load)
    }

    mutating func askForShifted(_ dropped: Load) {
        guard case .oldKey(let key) = dropped.cacheUse else { return }
        var load = renumbered(dropped)
        load.cacheUse = .sinceShift
        load.identity = identity(key)
        guard isLoaded(key) else { return start(load) }
        // The list already has the rows at that place, so the page beyond it is loaded.
        let end: ListEnd = load.purpose == .previous ? .start : .end
        _ = takeDropped(at: end)
        self.load(at: end, isAhead: load.isAhead)
    }

    // Requests a page again under its current key, because it may lack an item, is older than the refresh of its place,
    // or failed.
    mutating func askAgain(_ load: Load, isSecond: Bool = true) {
        // The preview is refreshed in place. A part is not: its rest is loaded as the next page.
        if load.isPreviewed, load.purpose != .first, let rank = ranks[load.identity],
            isSecond || seats[rank]?.isPartial == false
        {
            end(load.id, with: nil)
            refreshPage(at: rank, number: load.refreshNumber, notBefore: demand(on: load))
            return
        }
        switch load.purpose {
        case .page(let page):
            let place = ranks[page].flatMap { currentKey(at: $0) }
            var next = renumbered(load)
            if let (page, key) = place {
                (next.purpose, next.identity) = (.page(page), identity(key))
            } else if isSecond || !dropped.contains(page) {
                // The window has dropped the page meanwhile. What failed after that is retried.
                end(load.id, with: nil)
                return startWaitingJumps()
            }
            end(load.id, continuedBy: next.id)
            return start(next)
        case .first:
            let next = renumbered(load)
            end(load.id, continuedBy: next.id)
            if next.isRefresh || next.bookmark != nil { postponeJumps() }
            start(next)
        case .jump(let page):
            end(load.id, with: nil)
            jump(to: page.key, load.placement)
        case .next:
            end(load.id, with: nil)
            loadNext(isAhead: load.isAhead)
        case .previous:
            end(load.id, with: nil)
            loadPrevious(isAhead: load.isAhead)
        case .gap(let anchor, let side):
            end(load.id, with: nil)
            guard let left = pageBeforeGap(at: side, of: anchor) else { return }
            fillGap(behind: left, fromStart: side == .end)
        }
        running[load.purpose]?.isSecond = isSecond
    }

    // MARK: - Starting and ending

    mutating func refreshNumber(of rank: Int) -> UInt64 {
        if let number = seats[rank]?.refreshNumber, number != 0 { return number }
        let number = makeNumber()
        seats[rank]?.refreshNumber = number
        return number
    }

    mutating func renumbered(_ load: Load, as id: UInt64? = nil) -> Load {
        var load = load
        load.id = id ?? makeNumber()
        (load.isPreviewed, load.isOutdated, load.unknownItems) = (false, false, 0)
        load.notBefore = Self.later(load.notBefore, load.newer?.time)
        if let newer = load.newer { (load.refreshNumber, load.calledAt) = (newer.refreshNumber, newer.time) }
        load.newer = nil
        return load
    }

    // `isDebounced`: whether a later load within the debounce delay replaces it.
    mutating func start(_ load: Load, isDebounced: Bool = false) {
        var load = load
        load.notBefore = demand(on: load)
        // A retried first load also continues to load `initialLoadSize` items.
        if let goal = load.goal ?? failures.first(where: { $0.load.purpose == load.purpose })?.load.goal {
            goals[Self.initialLoad] = goal
        }
        failures.removeAll { $0.load.purpose == load.purpose }
        purposes[load.id] = load.purpose
        var request = PageRequest(
            key: load.identity.key, pageSize: load.identity.pageSize, scope: load.identity.scope,
            priority: load.isAhead ? .low : config.priority, policy: config.policy)
        request.isAhead = load.isAhead
        request.notBefore = Self.later(load.notBefore, timeBefore(load))
        request.calledAt = load.calledAt ?? callTime(of: load.purpose)
        if isDebounced { request.debounce = config.debounce }
        // Under an offset other than the first, caches have the rows from before the shift. For a dropped page above,
        // that may have been a shift inside the loaded pages.
        if case .sinceShift = load.cacheUse, load.purpose != .first || !load.identity.key.hasSameBytes(as: firstKey) {
            let time = load.purpose == .previous && droppedBefore.isEmpty ? shiftedAboveAt : shiftedAt
            request.notBefore = Self.later(request.notBefore, time)
        }
        if load.readsOldKey { request.policy = .cacheOnly }
        load.wantedSince = nil
        // The caches answer at once, also if loads wait for a connection.
        if blocking.contains(.offline), !load.isRefresh, mayCallSource {
            (load.wantedSince, request.notBefore) = (request.notBefore, nil)
        }
        running[load.purpose] = load
        if load.isJump, !isKey(load.identity.key) {
            return failed(
                load.id, PaginatorError(.invalidKey, "The keys of this list are numbers; no page has this one."))
        }
        actions.append(.fetch(load.id, request, isRefresh: load.isRefresh))
    }

    // Ends a load, whose answer is ignored from now on. Waiters for a refresh get `error`, unless `next` continues it;
    // refreshes up to `time` have succeeded.
    mutating func end(
        _ id: UInt64, with error: PaginatorError? = Self.cancelled, continuedBy next: UInt64? = nil,
        servedUntil time: PaginatorInstant? = nil
    ) {
        guard let purpose = purposes.removeValue(forKey: id) else { return }
        endAwaited(id, with: error, continuedBy: next, servedUntil: time)
        running[purpose] = nil
    }

    mutating func endAwaited(
        _ id: UInt64, with error: PaginatorError?, continuedBy next: UInt64? = nil,
        servedUntil time: PaginatorInstant? = nil
    ) {
        for (token, refresh) in awaited.sorted(by: { $0.key < $1.key }) where refresh.loads.contains(id) {
            awaited[token]?.loads.remove(id)
            if let next, time.map({ $0 < refresh.time }) ?? true {
                awaited[token]?.loads.insert(next)
            } else if let error, refresh.error == nil {
                awaited[token]?.error = error
            }
            endRefresh(token)
        }
    }

    mutating func endRefresh(_ token: UInt64) {
        guard let refresh = awaited[token], refresh.loads.isEmpty else { return }
        awaited[token] = nil
        actions.append(.ended(token, refresh.error))
    }

    mutating func cancelLoads() {
        asked = []
        waitingJumps = []
        restoreTarget = nil
        endGoals(with: Self.cancelled)
        cancel { _ in true }
    }

    mutating func cancel(
        with error: PaginatorError? = Self.cancelled, continuedBy next: UInt64? = nil,
        where isGone: (Load) -> Bool
    ) {
        for load in running.values.filter(isGone).sorted(by: { $0.id < $1.id }) {
            end(load.id, with: error, continuedBy: next)
            actions.append(.cancel(load.id))
        }
    }
}
