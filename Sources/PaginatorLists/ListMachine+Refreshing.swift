import PaginatorCore

// Refreshing pages.
extension ListMachine {
    mutating func refresh(_ refresh: PaginatorListRefresh, at time: PaginatorInstant, token: UInt64? = nil) {
        restartedWith = nil
        setbacks = [:]
        let loads: [UInt64]
        if refresh == .stalePages, seats.isEmpty, let first = running[.first] {
            // Whoever begins gets what the caches have: nothing stale is shown yet.
            running[.first]?.reloadsIfStale = true
            loads = [first.id]
        } else {
            loads = load(asNewAs: time) { $0.refresh(refresh, at: time, number: $1) }
        }
        guard let token else { return }
        awaited[token] = AwaitedRefresh(time: time, loads: Set(loads))
        endRefresh(token)
    }

    // Refreshes invalidated pages, running loads included.
    mutating func reload(_ pages: PageInvalidation, at time: PaginatorInstant) {
        guard mayCallSource else { return }
        for purpose in running.keys { running[purpose]?.reloadsIfStale = true }
        guard !seats.isEmpty else { return }
        _ = load(asNewAs: time) { machine, number in
            machine.refreshPages(at: time, number: number) {
                $0.stamp.time < time && pages.contains($0.identity, $0.tags)
            }
        }
    }

    private mutating func load(
        asNewAs time: PaginatorInstant, _ refresh: (inout ListMachine, _ number: UInt64) -> [UInt64]
    ) -> [UInt64] {
        let number = makeNumber()
        // A load that is about to replace everything is renewed as well.
        let first = running[.first].flatMap { !seats.isEmpty && $0.isRefresh ? [$0.id] : nil }
        let loads = first ?? refresh(&self, number)
        for id in loads {
            guard let purpose = purposes[id] else { continue }
            if id > number {
                running[purpose]?.notBefore = time
            } else {
                // It is already running. If its page was requested before `time`, it runs again afterwards.
                running[purpose]?.newer = (time, number)
            }
        }
        return loads
    }

    // Refreshes a page again, because its answer was older than a later refresh.
    mutating func refreshAgain(_ load: Load, as id: UInt64) {
        var next = renumbered(load, as: id)
        if case .page = load.purpose {
            guard let rank = ranks[load.identity], running[.page(load.identity)] == nil,
                let (page, key) = currentKey(at: rank)
            else { return endAwaited(id, with: Self.cancelled) }
            (next.purpose, next.identity) = (.page(page), identity(key))
        }
        start(next)
    }

    // Returns the loads of the pages, running ones included.
    private mutating func refresh(
        _ refresh: PaginatorListRefresh, at time: PaginatorInstant, number: UInt64
    ) -> [UInt64] {
        guard !seats.isEmpty else { return refreshEmptyList(refresh) }
        switch refresh {
        case .all:
            return [refreshAll()]
        case .firstPage:
            // If the window has dropped it, it is renewed when it is loaded again, and nothing else moves.
            if let page = droppedBefore.first { return [refreshPage(page.identity, by: page.identity, number: number)] }
            return firstPage.flatMap { refreshPage(at: $0, number: number) }.map { [$0] } ?? []
        case .page(let key):
            return ranks[identity(key)].flatMap { refreshPage(at: $0, number: number) }.map { [$0] } ?? []
        case .stalePages:
            return refreshPages(at: time, number: number) { seat in seat.staleFrom.map { $0 <= time } ?? false }
        case .keepingPlace:
            return refreshPages(at: time, number: number) { _ in true }
        }
    }

    private mutating func refreshEmptyList(_ refresh: PaginatorListRefresh) -> [UInt64] {
        if case .page = refresh { return [] }
        guard let first = running[.first], !first.isRefresh || first.isJump && refresh == .all else {
            return [refreshAll()]
        }
        postponeJumps()
        var load = renumbered(first)
        load.isRefresh = true
        if refresh == .all {
            // A jump follows it, as in a list with pages.
            if first.isJump { waitingJumps.append((first.identity.key, first.placement)) }
            (load.isJump, load.bookmark) = (false, nil)
            load.identity = identity(config.initialKey ?? firstKey)
        }
        end(first.id, continuedBy: load.id)
        start(load)
        actions.append(.cancel(first.id))
        return [load.id]
    }

    private mutating func refreshAll() -> UInt64 {
        postponeJumps()
        if let first = running[.first] {
            if first.isRefresh { return first.id }
            // The page of a jump arrived before the first page of an empty list.
            end(first.id)
            actions.append(.cancel(first.id))
        }
        let load = makeFirstLoad(isRefresh: true)
        start(load)
        return load.id
    }

    private mutating func refreshPages(
        at time: PaginatorInstant, number: UInt64, where isWanted: (ListSeat) -> Bool
    ) -> [UInt64] {
        let wanted = Set(seats.filter { isWanted($0.value) }.keys)
        let keys = renameToCurrentKeys(where: isWanted).filter { wanted.contains($0.key) }
        let middle = visibleRank ?? firstPage ?? 0
        // The visible ones first, then outward.
        let ranks = keys.sorted {
            (Self.distance($0.key, middle), $0.key) < (Self.distance($1.key, middle), $1.key)
        }
        return ranks.compactMap { refreshPage(at: $0.key, key: $0.value, number: number, calledAt: time) }
    }

    // `gap` is the side of the page at which this refresh has to close a gap. The next page need not be newer than
    // `notBefore`, by default the time of the page.
    @discardableResult
    mutating func refreshPage(
        at rank: Int, key: String? = nil, number: UInt64, gap: ListEnd? = nil, notBefore: PaginatorInstant? = nil,
        calledAt: PaginatorInstant? = nil
    ) -> UInt64? {
        guard let (page, current) = currentKey(at: rank) else { return nil }
        let key = key ?? current
        return refreshPage(page, by: identity(key), number: number, gap: gap, notBefore: notBefore, calledAt: calledAt)
    }

    // Requests a page again. Its place is not refreshed: the neighbors may be as old as before.
    mutating func reloadPage(at rank: Int, number: UInt64, gap: ListEnd? = nil) {
        refreshPage(at: rank, number: number, gap: gap, notBefore: seats[rank].map { $0.notBefore ?? $0.stamp.time })
    }

    // Requests pages again that came while a removal before them was pending and joined an older page by their keys,
    // because they may lack an item. Those that the window has dropped are requested when they are needed, as if their
    // keys had changed.
    mutating func reloadUnproven(behind place: Int, since begun: PaginatorInstant) {
        guard mayCallSource else { return }
        // The times of a bookmark's pages are unknown.
        func isUnproven(_ page: DroppedPage) -> Bool { page.fetchedAt > begun || page.fetchedAt == .zero }
        for index in droppedAfter.indices where isUnproven(droppedAfter[index]) {
            droppedAfter[index].ids = nil
            droppedAfter[index].isOutdated = true
        }
        for index in droppedBefore.indices where place == .min && isUnproven(droppedBefore[index]) {
            droppedBefore[index].isOutdated = true
        }
        var pages: [Int] = []
        var last = lastPage
        while let rank = last, rank > place, let seat = seats[rank], seat.stamp.time > begun {
            pages.append(rank)
            last = pageRank(before: rank)
        }
        for rank in pages.reversed() {
            guard let seat = seats[rank] else { continue }
            guard let left = pageRank(before: rank), let old = seats[left] else {
                // The window may have dropped the older page.
                if let page = droppedBefore.last, page.fetchedAt < seat.stamp.time {
                    reloadPage(at: rank, number: makeNumber(), gap: .start)
                }
                continue
            }
            guard old.isLinkedToNext, old.next != nil, old.stamp < seat.stamp, !overlap(old, seat) else { continue }
            seats[left]?.isLinkedToNext = false
            dirty.insert(left)
            let number = running[.page(old.identity)]?.refreshNumber ?? refreshNumber(of: left)
            reloadPage(at: rank, number: number, gap: .start)
        }
    }

    private mutating func refreshPage(
        _ page: PageIdentity, by identity: PageIdentity, number: UInt64, gap: ListEnd? = nil,
        notBefore: PaginatorInstant? = nil, calledAt: PaginatorInstant? = nil
    ) -> UInt64 {
        let former = running[.page(page)]
        if let former, former.identity == identity {
            running[.page(page)]?.newer?.refreshNumber = number
            return former.id
        }
        let load = Load(
            id: makeNumber(), purpose: .page(page), identity: identity, isRefresh: true, notBefore: notBefore,
            calledAt: calledAt, gap: gap, refreshNumber: number)
        if let former {
            // It requests a place where the page no longer is.
            end(former.id, continuedBy: load.id)
            actions.append(.cancel(former.id))
        }
        start(load)
        return load.id
    }

    mutating func renewed(_ identity: PageIdentity, _ page: ListPage) {
        guard wantsRenewal(of: identity, page.fetchedAt), let rank = ranks[identity], let seat = seats[rank] else {
            return
        }
        var load = Load(id: makeNumber(), purpose: .page(identity), identity: identity, isRefresh: true)
        // The load may bring the page that this seat replaces.
        if seat.demandOnNeighbors == nil { load.notBefore = seat.notBefore }
        replace(at: rank, with: page, load)
        forgetOldRows(hasLinks: true)
        hideFarRows()
        prefetch()
    }

    // Returns whether the list shows an older page and is not loading a newer one itself.
    func wantsRenewal(of identity: PageIdentity, _ time: PaginatorInstant) -> Bool {
        guard let rank = ranks[identity], let seat = seats[rank],
            seat.isPartial ? seat.stamp.time <= time : seat.stamp.time < time
        else { return false }
        // If edits have shifted the page, its old key leads to other rows.
        guard effectiveKey(of: seat, at: rank).hasSameBytes(as: identity.key) else { return false }
        return !isLoading(identity)
    }

    func isLoading(_ identity: PageIdentity) -> Bool { running.values.contains { $0.identity == identity } }

    mutating func invalidated(_ pages: PageInvalidation, at time: PaginatorInstant) {
        applyToKept { $0.invalidated(pages, at: time) }
        for (rank, seat) in seats where seat.stamp.time < time && pages.contains(seat.identity, seat.tags) {
            seats[rank]?.staleFrom = .zero
        }
        for purpose in running.keys { running[purpose]?.invalidations[pages] = time }
    }

    // Everything that is loaded from now on must have been requested at that time or later.
    mutating func reset(at time: PaginatorInstant) {
        reset()
        newRows = []
        for id in local.keys where !isUnconfirmed(id) { removeLocal(id) }
        for id in unshownItems where local[id] == nil { entries[id] = nil }
        unshownItems = []
        refreshedAt = time
    }

    // Rows that no page has, and newer values than those of the caches, stay for the pages that come.
    mutating func reset() {
        cancelLoads()
        kept = []
        failures = []
        setbacks = [:]
        restartedWith = nil
        visible = nil
        earlyHint = nil
        removeAllSeats()
    }

    mutating func removeAllSeats() {
        touches = nil
        if config.windowItems != nil {
            for seat in seats.values { actions.append(.unpin(seat.identity)) }
        }
        seats = [:]
        ranks = [:]
        total = nil
        fallbackPages = [:]
        (dirty, dirtyRows) = ([], [:])
        tree = Tree()
        headRows.isShown = false
        tailRows.isShown = false
        droppedBefore = []
        droppedAfter = []
        dropped = []
        leadingShift = 0
        for index in recentShifts.indices { recentShifts[index].rank = nil }
        let gone = entries.filter { local[$0.key] == nil && $0.value.base != nil }
        unshownItems = gone.sorted { $0.value.time < $1.value.time }.suffix(Self.maxUnshownItems).map(\.key)
        unshownNewerItems = []
        let kept = Set(unshownItems)
        entries.removeAll { [local] id, _ in local[id] == nil && !kept.contains(id) }
        entries.changeValues { $0.holders = [] }
    }
}
