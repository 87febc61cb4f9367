import PaginatorCore

// Local rows that answers of the source make obsolete.
extension ListMachine {
    // Has the rows after items of a page's former version stay if the source has removed the items: rows after them are
    // still there, or there is no next page. Otherwise they may have moved to it.
    mutating func leaveRemoved(_ old: [ListItemID], at rank: Int) {
        guard !followers.isEmpty, let seat = seats[rank] else { return }
        let kept = Set(seat.ids)
        let end = seat.next == nil && !seat.isPartial ? old.count : old.lastIndex(where: kept.contains) ?? 0
        // Where keys are counted, an item may also have moved up, to a page before that is not loaded anew yet.
        let time = config.addressing == .opaque ? nil : seat.calledAt
        var before: ListItemID?
        for id in old[..<end] {
            if kept.contains(id) {
                before = id
            } else if !has(id) {
                leaveFollowers(of: id, behind: before, at: rank, since: time)
            }
        }
    }

    // Removes local rows whose place was loaded after they were added, because the source has deleted or moved them.
    // The source's first page covers the head, its last page the tail, and the page with an item and the page after it
    // cover the rows after the item. The window may still drop the page at the end opposite to `rank`.
    mutating func forgetOldRows(hasLinks: Bool, beside rank: Int? = nil) {
        guard !local.isEmpty else { return }
        // At the ends it need not be a refresh: rows that the page lacks would be shown beyond newer ones.
        if let first = pageAtHead, rank ?? first == first, let time = seats[first]?.stamp.time {
            forget(headRows.ids, olderThan: time, behind: nil)
        }
        if let last = pageAtTail, rank == nil || rank == last && last == lastPage, let time = seats[last]?.stamp.time {
            forget(tailRows.ids, olderThan: time, behind: .max)
        }
        for (anchor, rows) in followers {
            for rank in entries[anchor]?.holders ?? [] {
                if let time = newness(behind: anchor, at: rank, hasLinks: hasLinks) {
                    forget(rows, olderThan: time, behind: rank)
                }
            }
        }
    }

    // The page at the start of the source, if it is loaded.
    private var pageAtHead: Int? { isStartLoaded ? firstPage : nil }

    // The page at the end of the source, if it is loaded. A page past the end says nothing about rows that were added
    // at the tail.
    private var pageAtTail: Int? {
        guard isEndLoaded else { return nil }
        var last = lastPage
        while let rank = last, let left = pageRank(before: rank), isPastEnd(rank, after: left) { last = left }
        return last
    }

    // Returns whether a row would be shown beyond a newer page: the list has heard of it only after that page came.
    func isLate(_ id: ListItemID, at time: PaginatorInstant) -> Bool {
        guard isUnconfirmed(id), let place = local[id]?.place else { return false }
        let page: Int? =
            switch place {
            case .head: pageAtHead
            case .tail: pageAtTail
            case .after: nil
            }
        return page.flatMap { seats[$0]?.stamp.time }.map { time <= $0 } ?? false
    }

    // The time up to which the rows at a page's place must be on it. Any page covers rows from before the list.
    private func newness(at rank: Int) -> PaginatorInstant? {
        guard let seat = seats[rank], !seat.isTooOld else { return nil }
        return seat.notBefore ?? startedAt.map { min($0, seat.stamp.time) }
    }

    // The time up to which the rows after an item of a page are known; `nil` if they are not.
    private func newness(behind anchor: ListItemID, at rank: Int, hasLinks: Bool) -> PaginatorInstant? {
        guard let seat = seats[rank], let time = newness(at: rank) else { return nil }
        guard seat.ids.last == anchor else { return time }
        if rank == lastPage { return isEndLoaded ? time : nil }
        guard hasLinks, seat.isLinkedToNext else { return nil }
        return pageRank(after: rank).flatMap { newness(at: $0) }.map { min($0, time) }
    }

    // Rows that followed a removed one take its place. Without a rank it is the head; `.max` is the tail.
    private mutating func forget(_ rows: [ListItemID], olderThan time: PaginatorInstant, behind rank: Int?) {
        var waiting = rows
        var gone: [ListItemID] = []
        // If the first page ends with a row that was added at the head, older rows have only moved behind that page.
        let first = rank == nil ? firstPage.flatMap { seats[$0] } : nil
        let end = first.flatMap { $0.next != nil || $0.isPartial ? $0.ids.last : nil }
        let shift = end.flatMap { id in recentShifts.last { $0.id == id && $0.items > 0 && $0.rank == Int.min } }
        // Pages that are refreshed together count as equally new, also those requested before this one.
        var since = min(time, first?.notBefore ?? time)
        while let id = waiting.popLast() {
            guard let row = local[id], let entry = entries[id], entry.base != nil, entry.time <= time else { continue }
            waiting += followers[id] ?? []
            if row.isCounted, shift.map({ entry.time > $0.time }) ?? true {
                count(-1, of: id, since: time)
                // No page follows the tail.
                if config.addressing == .offset, rank != .max {
                    gone.append(id)
                    since = max(since, entry.time)
                }
            }
            removeLocal(id)
        }
        for id in gone { note(RecentShift(id: id, time: since, items: -1, rank: rank ?? .min)) }
        if !gone.isEmpty { undoShift(gone.count, since: since, behind: rank) }
    }

    // Removes the shift by rows that were removed. It does not affect pages that were loaded since.
    private mutating func undoShift(_ rows: Int, since time: PaginatorInstant, behind rank: Int?) {
        if let rank, let seat = seats[rank] {
            seats[rank]?.shifts.ownAtFetch -= rows
            setShift(seat.shifts.own - rows, at: rank)
        } else {
            leadingShift -= rows
        }
        for (other, seat) in seats where other > rank ?? .min && seat.isAsNew(as: time) {
            seats[other]?.shifts.beforeAtFetch -= rows
        }
    }
}
