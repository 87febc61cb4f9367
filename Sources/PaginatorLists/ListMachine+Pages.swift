import PaginatorCore

// The places of pages that arrive.
extension ListMachine {
    mutating func replaceEverything(with page: ListPage, _ load: Load) {
        // Saved, because its items are removed for a moment.
        let anchor = visible
        let wasEmpty = seats.isEmpty
        replacements += 1
        // All pages are new, so waiters for a page's refresh succeed. A jump in parallel with the first page continues.
        cancel(with: nil) { other in other.id != load.id && !(wasEmpty && other.isJump) }
        // A failure in parallel with the first page, or before a faster jump, can still be retried.
        if !wasEmpty || load.isRefresh { failures = [] }
        let old = ranks[load.identity].flatMap { seats[$0]?.ids } ?? []
        removeAllSeats()
        for id in local.keys { local[id]?.isCounted = false }
        emptyPages = 0
        if let bookmark = load.bookmark { takeDroppedPages(of: bookmark) }
        place(page, load, at: 0, dropped: nil)
        leaveRemoved(old, at: 0)
        // Its keys count rows that were reported after its request, if it has them.
        recentShifts.removeAll { shift in
            shift.rank == nil && shift.items > 0 && page.items.contains { $0.id == shift.id }
        }
        if let size = config.initialLoadSize, load.bookmark == nil { goals[Self.initialLoad] = size }
        // Local rows that the page lacks were added after it.
        for id in local.keys where !isUnconfirmed(id) {
            if let time = entries[id]?.time, time > page.fetchedAt { shiftOffsets(at: id, by: 1, since: time) }
        }
        // Away from the start, nothing shows whether it counts those above it. The next key counts them less.
        if !isStartLoaded {
            seats[0]?.shifts.ownAtFetch += leadingShift
            for index in droppedAfter.indices { droppedAfter[index].shifts.beforeAtFetch += leadingShift }
        }
        // The whole range, although some of its rows are gone: they may return with the following pages.
        visible = anchor
        if let id = load.bookmark.flatMap({ item(of: $0, on: page) }) { go(to: id) }
        rebuildDirty()
        if visiblePositions() == nil {
            if visible != nil, tree.count == 0 { earlyHint = 0..<1 }
            visible = nil
        }
        restoreTarget = load.bookmark.flatMap { bookmark in
            visible.map { RestoreTarget(fingerprint: bookmark.fingerprint, place: $0.first) }
        }
        if load.isJump { go(toPage: 0) }
    }

    mutating func place(_ page: ListPage, _ load: Load, at rank: Int, dropped: DroppedPage?) {
        forgetDropped(load.identity)
        var seat = seat(of: page, load)
        switch load.purpose {
        case .previous, .gap(_, at: .start): seat.isLoadedBackward = true
        case .first, .next, .gap, .jump, .page: break
        }
        let before = shiftBefore(rank)
        let own = dropped?.shifts.own ?? 0
        seat.shifts = PageShifts(own: own, ownAtFetch: own, beforeAtFetch: before)
        // If it is as old as the dropped page, it has the same keys and counts the same shifts.
        let isOld = dropped.map { $0.ids != nil && !$0.isOutdated && page.fetchedAt <= $0.fetchedAt } ?? false
        if isOld, let dropped { seat.shifts = dropped.shifts }
        seats[rank] = seat
        ranks[seat.identity] = rank
        tree.set(ListChunk(rows: []), shift: seat.shifts.own, at: rank)
        if config.windowItems != nil { actions.append(.pin(seat.identity)) }
        addItems(page, seat, rank, replacing: [])
        // Otherwise the list would still end with an older page, although this one leads further.
        let isBeforeEnd = isEndLoaded && pageRank(after: rank) == lastPage
        if !page.isPreview, seat.next != nil, isBeforeEnd { takeOutRepeated(by: rank) }
        let isShared = pageRank(before: rank).flatMap { seats[$0] }.map { overlap($0, seat) } ?? false
        if !isOld {
            // It counts inserts since its request if it begins with rows of the page before it, and never counts
            // deletes. If nothing shows it, the next key counts them less.
            let isUnknown = !isShared && !showsInserts(load)
            // The second answer is not requested again after a delete, and may count it.
            let isRemovalUnknown = isUnknown && load.isSecond
            let removed = isRemovalUnknown ? -shift(since: page.fetchedAt, before: rank, isRemoval: true) : 0
            let missed = shift(since: page.fetchedAt, before: rank) + removed
            seats[rank]?.shifts.beforeAtFetch = before - (isShared ? min(0, missed) : missed)
            let deleted = deletions(since: page.fetchedAt, inside: rank)
            seats[rank]?.shifts.ownAtFetch += deleted + (isUnknown ? max(0, missed) + removed : 0)
        }
        // Before linking, because removed rows take back their shift, and links compare shifted keys.
        forgetOldRows(hasLinks: false, beside: rank)
        link(rank, instead: dropped, isFinal: !page.isPreview)
        if case .next = load.purpose {
            reportShift(before: rank)
            let isCut = pageRank(before: rank).map { seats[$0]?.isLinkedToNext == false } ?? false
            if isCut, !seat.isAsNew(as: load.notBefore) { notices.append(.gapOpened) }
        }
    }

    // Returns whether the page before a load's page, or the one that it replaces, shows if it counts an insert. The
    // source's first page tells of all of them.
    func showsInserts(_ load: Load) -> Bool {
        switch load.purpose {
        case .next, .gap(_, at: .end), .page: true
        case .first: load.identity.key.hasSameBytes(as: firstKey)
        case .previous, .gap(_, at: .start), .jump: false
        }
    }

    mutating func replace(at rank: Int, with page: ListPage, _ load: Load) {
        guard let old = seats[rank] else { return }
        // An edit may have shifted it to the key of another page.
        guard ranks[load.identity] == nil || ranks[load.identity] == rank else { return }
        // A slow cache may answer with a page older than the one that has arrived meanwhile.
        guard page.fetchedAt >= old.stamp.time else { return }
        var seat = seat(of: page, load)
        seat.shifts.own = old.shifts.own
        let stays = haveSameEnds(old.ids, seat.ids)
        seat.shifts.ownAtFetch = old.shifts.own + deletions(since: page.fetchedAt, inside: rank)
        seat.shifts.beforeAtFetch =
            shiftBefore(rank) - (stays.first && stays.last ? shift(since: page.fetchedAt, before: rank) : 0)
        (seat.isLinkedToNext, seat.isLoadedBackward) = (old.isLinkedToNext, old.isLoadedBackward)
        if seat.identity != old.identity {
            forgetDropped(seat.identity)
            ranks[old.identity] = nil
            ranks[seat.identity] = rank
            fallbackPages[old.identity] = nil
            fallbackPages[seat.identity] = seat.refreshError
            if config.windowItems != nil { actions += [.unpin(old.identity), .pin(seat.identity)] }
        }
        forgetFailures(of: old.identity, at: rank, madeUpBy: seat)
        seats[rank] = seat
        if seats.count == 1, !old.ids.isEmpty, Set(old.ids).isDisjoint(with: seat.ids) { replacements += 1 }
        // Before its items are added, so that it shows the items that both pages have.
        takeOutRepeated(by: rank)
        addItems(page, seat, rank, replacing: old.ids)
        forgetOldRows(hasLinks: false, beside: rank)
        func joint(_ wasLinked: Bool, _ isUnchanged: Bool) -> Joint {
            // A page that replaces its own preview is new.
            load.isPreviewed || !wasLinked ? .new : isUnchanged ? .asBefore : .changed
        }
        if let left = pageRank(before: rank) {
            let isUnchanged = !hasMoved(left, rank) && stays.first
            let proof = joint(seats[left]?.isLinkedToNext == true, isUnchanged)
            let isProven = page.isPreview || !isTooOld(seat, toFollow: left) || proof == .asBefore
            relink(left, rank, isProven ? proof : .changed)
        }
        if let right = pageRank(after: rank), let other = seats[right] {
            // An older page after it may lack rows that moved there, unless it is being loaded as well.
            let isProven = stays.last || other.isAsNew(as: seat.calledAt) || isLoading(other.identity)
            relink(rank, right, isProven ? joint(old.isLinkedToNext, stays.last) : .changed)
            if !stays.last, hasMoved(rank, right) { reportShift(before: right) }
            takeForeignDeletes(before: right, behind: rank)
        } else {
            seats[rank]?.isLinkedToNext = false
        }
    }

    // Returns whether a page still begins and ends with the same rows, apart from those that edits have removed.
    private func haveSameEnds(_ old: [ListItemID], _ new: [ListItemID]) -> (first: Bool, last: Bool) {
        func isThere(_ id: ListItemID) -> Bool { entries[id]?.base != nil }
        return (
            old.first == new.first || old.first(where: isThere) == new.first,
            old.last == new.last || old.last(where: isThere) == new.last
        )
    }

    private mutating func seat(of page: ListPage, _ load: Load) -> ListSeat {
        // Some servers send an empty key if there is no further page.
        func key(_ key: String?) -> String? { key?.isEmpty == true ? nil : key }
        let previous = key(page.previous) ?? offset(before: load.identity)
        let isInvalidated = load.invalidations.contains { pages, time in
            page.fetchedAt < time && pages.contains(load.identity, page.tags)
        }
        var seat = ListSeat(
            identity: load.identity, previous: previous,
            // A part ends before its page does.
            next: page.isPartial ? nil : key(page.next), ids: Self.ids(of: page),
            stamp: ListStamp(time: page.fetchedAt, arrival: makeNumber()),
            mayCountUntil: page.fetchedAt.advanced(by: page.loadTime ?? .zero).advanced(by: Self.reportDelay),
            calledAt: page.calledAt ?? page.fetchedAt,
            staleFrom: isInvalidated ? .zero : page.staleFrom,
            tags: page.tags, savedAt: page.savedAt, refreshError: page.refreshError, isPartial: page.isPartial,
            refreshNumber: load.refreshNumber)
        // Pages refreshed together count as equally new, although they are requested one after the other.
        seat.notBefore = load.notBefore ?? (load.isRefresh ? page.fetchedAt : nil)
        refreshedAt = Self.later(refreshedAt, seat.notBefore)
        lastOrdinal = seat.ids.reduce(lastOrdinal) { max($0, $1.ordinal) }
        takeTotal(of: page)
        fallbackPages[seat.identity] = seat.refreshError
        return seat
    }

    private static func ids(of page: ListPage) -> [ListItemID] {
        let ids = page.items.map(\.id)
        // Few pages repeat an item, and to sort numbers takes a fifth of the time that a set takes.
        let ordinals = ids.map(\.ordinal).sorted()
        guard zip(ordinals, ordinals.dropFirst()).contains(where: ==) else { return ids }
        var seen = Set<ListItemID>(minimumCapacity: ids.count)
        return ids.filter { seen.insert($0).inserted }
    }

    private mutating func addItems(_ page: ListPage, _ seat: ListSeat, _ rank: Int, replacing old: [ListItemID]) {
        dirty.insert(rank)
        if !old.isEmpty, old != seat.ids {
            let kept = Set(seat.ids)
            for id in old where !kept.contains(id) { removeItem(id, from: rank, of: seat.stamp.time) }
            leaveRemoved(old, at: rank)
        }
        let (time, editCount) = (page.fetchedAt, page.editCount)
        // If a page repeats an item, the first value counts.
        var next = 0
        for (id, value) in page.items where next < seat.ids.count && seat.ids[next] == id {
            next += 1
            if !local.isEmpty, local[id] != nil { removeLocal(id, keepsEntry: true) }
            let version = makeNumber()
            var former: Int?
            if let index = entries.index(forKey: id) {
                former = entries[index].take(value, at: time, editCount, version, rank)
            } else {
                entries[id] = Entry(base: value, time: time, holders: [rank], editCount: editCount, version: version)
            }
            if let former, former != rank {
                dirty.insert(former)
            } else if former == nil {
                emptyPages = 0
            }
        }
    }

    // Removes an item from a page. `time` is the request time of that page, or of the one that replaces it.
    mutating func removeItem(_ id: ListItemID, from rank: Int, of time: PaginatorInstant) {
        guard var entry = entries[id] else { return }
        entry.holders.removeAll { $0 == rank }
        entries[id] = entry
        if let owner = entry.holders.first {
            dirty.insert(owner)
        } else if local[id] == nil {
            forget(id, isNewer: entry.time > time)
        }
    }

    // Forgets an item that no row shows. The last few values are kept, so that no cached page shows older ones, and
    // apart from them the last few that are newer than the item's page.
    mutating func forget(_ id: ListItemID, isNewer: Bool = false) {
        guard entries[id]?.base != nil else {
            entries[id] = nil
            return
        }
        if isNewer { unshownNewerItems.removeAll { $0 == id } }
        let kept: WritableKeyPath<ListMachine, [ListItemID]> = isNewer ? \.unshownNewerItems : \.unshownItems
        self[keyPath: kept].append(id)
        guard self[keyPath: kept].count > Self.maxUnshownItems else { return }
        let oldest = self[keyPath: kept].removeFirst()
        if !has(oldest), !unshownNewerItems.contains(oldest) { entries[oldest] = nil }
    }

    static var maxUnshownItems: Int { 256 }

    func has(_ id: ListItemID) -> Bool { local[id] != nil || entries[id]?.holders.isEmpty == false }
}

extension ListMachine.Entry {
    // Returns the page that showed it before.
    fileprivate mutating func take(
        _ value: ListValue, at newTime: PaginatorInstant, _ newCount: UInt64, _ newVersion: UInt64, _ rank: Int
    ) -> Int? {
        let former = holders.first
        addHolder(rank)
        if time <= newTime { (base, time, editCount, version) = (value, newTime, newCount, newVersion) }
        return former
    }

    mutating func addHolder(_ rank: Int) {
        let index = holders.firstIndex { $0 >= rank } ?? holders.count
        if index == holders.count || holders[index] != rank { holders.insert(rank, at: index) }
    }
}
