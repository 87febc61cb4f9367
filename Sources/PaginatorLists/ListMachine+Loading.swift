import PaginatorCore

// The loads of a list, and when they start and end.
extension ListMachine {
    func identity(_ key: String) -> PageIdentity {
        PageIdentity(key: key, pageSize: config.pageSize, scope: config.scope)
    }

    // Handles a call for more rows at an end, which continues after empty pages.
    mutating func ask(for end: Purpose) {
        emptyPages = 0
        asked.insert(end)
        end == .previous ? loadPrevious() : loadNext()
        if running[end] == nil, running[.first] == nil { asked.remove(end) }
    }

    mutating func loadNext(isAhead: Bool = false) { extend(atStart: false, isAhead: isAhead) }

    mutating func loadPrevious(isAhead: Bool = false) { extend(atStart: true, isAhead: isAhead) }

    private mutating func extend(atStart: Bool, isAhead: Bool) {
        guard let rank = atStart ? firstPage : lastPage, let seat = seats[rank] else { return loadFirst() }
        if revealRows(atStart: atStart) { return }
        let purpose = atStart ? Purpose.previous : .next
        guard running[purpose] == nil else { return isAhead ? () : wait(for: purpose) }
        if !atStart, seat.isPartial {
            // Its rest goes first. It may be being loaded already, as the first page or by a jump.
            return isLoading(seat.identity) ? () : reloadLast(seat, at: rank, isAhead: isAhead)
        }
        // Two pages with one key must not be on their way at once: the first to come would be taken for the other.
        let opposite = running[atStart ? .next : .previous]?.identity
        if let page = atStart ? droppedBefore.last : droppedAfter.last {
            guard opposite != page.identity else { return }
            let shift = leadingShift + (atStart ? -page.shifts.own : tree.total.shift)
            return bringBack(page, purpose, shiftBefore: shift, isAhead: isAhead)
        }
        let isRepeated = atStart ? seat.isPreviousRepeated : seat.isNextRepeated
        guard let key = atStart ? effectivePrevious(of: seat, at: rank) : effectiveNext(of: seat, at: rank), !isRepeated
        else { return atStart || isEndCertain ? () : reloadLast(seat, at: rank, isAhead: isAhead) }
        guard !isLoaded(key), !isDropped(key) else {
            if !atStart, seat.shifts.own != seat.shifts.ownAtFetch,
                key.hasSameBytes(as: effectiveKey(of: seat, at: rank))
            {
                // All of its rows were deleted, so the next page begins at the same offset.
                let isShared = ranks[identity(key)].map { $0 != rank } ?? false
                guard isShared else { return reloadLast(seat, at: rank, isAhead: isAhead) }
                // The same applies to the page before it.
                takeOut(rank)
                return loadNext(isAhead: isAhead)
            }
            if atStart { seats[rank]?.isPreviousRepeated = true } else { seats[rank]?.isNextRepeated = true }
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

    mutating func makeFirstLoad(isRefresh: Bool = false, isDebounced: Bool = false) -> Load {
        Load(
            id: makeNumber(), purpose: .first, identity: identity(config.initialKey ?? firstKey), isRefresh: isRefresh,
            isDebounced: isDebounced)
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
        _ = takeDropped(atStart: load.purpose == .previous)
        extend(atStart: load.purpose == .previous, isAhead: load.isAhead)
    }

    mutating func jump(to key: String, _ placement: PaginatorListPlacement) {
        let identity = identity(key)
        let first = running[.first]
        // A load that replaces everything goes first.
        if let first, first.isRefresh || first.bookmark != nil { return waitingJumps.append((key, placement)) }
        // It discards a failed jump, whose place may be outdated, and a failed refresh, whose retry goes to the start.
        let isStart = key.hasSameBytes(as: firstKey)
        failures.removeAll { $0.load.isJump || !isStart && $0.load.purpose == .first && $0.load.isRefresh }
        if isLoaded(key), let rank = ranks[identity] {
            go(toPage: rank)
            if placement == .start, isStart { showNewRows() }
            return
        }
        if let first {
            guard first.identity != identity else {
                running[.first]?.isJump = true
                return
            }
            // If this page comes first, that one is placed beside it.
            if placement != .automatic, config.addressing == .opaque {
                running[.first]?.placement = placement == .start ? .end : .start
            }
        } else if seats.isEmpty {
            return start(Load(id: makeNumber(), purpose: .first, identity: identity, isJump: true))
        }
        let purpose = Purpose.jump(identity)
        guard running[purpose] == nil else { return }
        // Its place among the dropped pages is known when its page arrives.
        start(Load(id: makeNumber(), purpose: purpose, identity: identity, placement: placement, isJump: true))
    }

    mutating func go(toPage rank: Int) {
        restoreTarget = nil
        rebuildDirty()
        // The page before it may show that item.
        guard let id = seats[rank]?.ids.first(where: { position(of: $0) != nil }) else { return }
        go(to: id)
    }

    // Shows what the status counts as new above the first page.
    private mutating func showNewRows() {
        while revealRows(atStart: true) {
            // An edit may remove all of them for now.
            guard tree.count > 0 else { continue }
            let id = tree.row(at: 0).id
            visible = (id, id, visible?.jump)
        }
        // Of these rows only the number is known.
        if mayCallSource, let time = newRows.map(\.time).max() { refresh(.page(firstKey), at: time) }
    }

    // Postpones jumps until everything is replaced, since their pages would be removed with the others.
    mutating func postponeJumps(except id: UInt64? = nil) {
        for load in running.values.sorted(by: { $0.id < $1.id }) where load.id != id {
            guard case .jump = load.purpose else { continue }
            waitingJumps.append((load.identity.key, load.placement))
            giveUp(load.purpose)
        }
    }

    mutating func startWaitingJumps() {
        guard !waitingJumps.isEmpty, running[.first] == nil else { return }
        let jumps = waitingJumps
        waitingJumps = []
        for (key, placement) in jumps { jump(to: key, placement) }
    }

    mutating func fillGap(at position: Int, fromStart: Bool) {
        if let rank = rankWithGap(at: position) { fillGap(behind: rank, fromStart: fromStart) }
    }

    mutating func fillGap(behind rank: Int, fromStart: Bool) {
        guard let rank = takeOutRepeated(behind: rank), let seat = seats[rank],
            let following = pageRank(after: rank), let right = seats[following]
        else { return }
        guard !seat.isPartial else {
            // The rest of the page is missing first. It may be on its way already.
            guard mayCallSource, !isLoading(seat.identity) else { return }
            refreshPage(at: rank, number: refreshNumber(of: following), gap: .end)
            return
        }
        let (leftKey, rightKey) = (effectiveKey(of: seat, at: rank), effectiveKey(of: right, at: following))
        let (next, previous) = (effectiveNext(of: seat, at: rank), effectivePrevious(of: right, at: following))
        // Returns whether a key leads to one of both pages, or past it, so that no load can fill the gap between them.
        func leadsPast(_ key: String?) -> Bool {
            guard let key else { return false }
            if key.hasSameBytes(as: leftKey) || key.hasSameBytes(as: rightKey) { return true }
            guard config.addressing == .offset, let number = Int(key), let lower = Int(leftKey),
                let upper = Int(rightKey), lower <= upper
            else { return false }
            return number <= lower || number >= upper
        }
        func start(_ key: String?, fromStart: Bool) -> Bool {
            guard let key, !leadsPast(next), !leadsPast(key), !isLoaded(key),
                // Read now, because `isLoaded` may have changed it.
                let anchor = seats[fromStart ? rank : following]?.identity
            else { return false }
            let purpose = Purpose.gap(anchor, at: fromStart ? .end : .start)
            if running[purpose] == nil { self.start(Load(id: makeNumber(), purpose: purpose, identity: identity(key))) }
            return true
        }
        if start(fromStart ? next : previous, fromStart: fromStart) { return }
        if start(fromStart ? previous : next, fromStart: !fromStart) { return }
        // If they were refreshed together, another refresh changes nothing.
        let areAsNew = seat.refreshNumber != 0 && seat.refreshNumber == right.refreshNumber
        if !areAsNew, leadsPast(next) || leadsPast(previous) {
            // The older page is outdated, unless the other one is in doubt. It may be a preview of one on its way.
            let isLeft = seat.stamp < right.stamp && !isInDoubt(right.identity)
            let old = isLeft ? seat.identity : right.identity
            let isPreview = running.values.contains { $0.isPreviewed && $0.identity == old }
            guard mayCallSource, !isPreview else { return }
            let number = refreshNumber(of: isLeft ? following : rank)
            refreshPage(at: isLeft ? rank : following, number: number, gap: isLeft ? .end : .start)
        } else if let repeated = fromStart ? next ?? previous : previous ?? next, seat.reportedGap != right.stamp {
            // Reported once, because an observer may fill the gap in response.
            seats[rank]?.reportedGap = right.stamp
            notices.append(.repeatedKey(repeated))
        }
    }

    // MARK: - Starting and ending

    // Removes outdated pages, whose rows are all on other pages, because the missing rows are not next to them. Returns
    // the page before the gap.
    private mutating func takeOutRepeated(behind rank: Int) -> Int? {
        var left = rank
        while let first = seats[left], !first.isLinkedToNext, let right = pageRank(after: left),
            let second = seats[right]
        {
            let (old, new) = first.stamp < second.stamp ? (left, second) : (right, first)
            let isRepeated = isContained(old, in: new) || hasNewerTwin(old)
            guard let repeated = isRepeated ? old : showsNothing(right) ? right : nil else {
                return left
            }
            let before = pageRank(before: repeated)
            takeOut(repeated)
            guard let before, let after = pageRank(after: before) else { return nil }
            left = before
            relink(before, after, .new)
        }
        return nil
    }

    private func isContained(_ rank: Int, in other: ListSeat) -> Bool {
        guard let seat = seats[rank], !seat.ids.isEmpty else { return false }
        return seat.ids.allSatisfy(other.ids.contains)
    }

    // Returns whether a newer page has the current key of a page, so that no answer could replace the latter.
    private func hasNewerTwin(_ rank: Int) -> Bool {
        guard let seat = seats[rank], let other = ranks[identity(effectiveKey(of: seat, at: rank))], other != rank
        else { return false }
        return seats[other].map { seat.stamp < $0.stamp } ?? false
    }

    private func showsNothing(_ rank: Int) -> Bool {
        guard let seat = seats[rank], !seat.ids.isEmpty else { return false }
        return seat.ids.allSatisfy { entries[$0]?.holders.first != rank || entries[$0]?.base == nil }
    }

    private func rankWithGap(at position: Int) -> Int? {
        var rank = position > 0 ? tree.place(ofRow: position - 1)?.rank : tree.first
        while let current = rank, let place = tree.place(of: current) {
            guard place.before.rows + place.payload.rows.count == position else { return nil }
            if place.payload.isFollowedByGap { return current }
            rank = tree.rank(after: current)
        }
        return nil
    }

    mutating func refreshNumber(of rank: Int) -> UInt64 {
        if let number = seats[rank]?.refreshNumber, number != 0 { return number }
        let number = makeNumber()
        seats[rank]?.refreshNumber = number
        return number
    }

    mutating func renumbered(_ load: Load, as id: UInt64? = nil) -> Load {
        var load = load
        load.id = id ?? makeNumber()
        (load.isPreviewed, load.isDebounced, load.isOutdated, load.unknownItems) = (false, false, false, 0)
        load.notBefore = Self.later(load.notBefore, load.newer?.time)
        if let newer = load.newer { (load.refreshNumber, load.calledAt) = (newer.refreshNumber, newer.time) }
        load.newer = nil
        return load
    }

    mutating func start(_ load: Load) {
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
        if load.isDebounced { request.debounce = config.debounce }
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

    // Whether a page can have a key.
    private func isKey(_ key: String) -> Bool {
        config.addressing == .opaque || key.hasSameBytes(as: firstKey) || Int(key).map { $0 >= 0 } ?? false
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
