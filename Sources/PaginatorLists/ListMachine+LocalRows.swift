import PaginatorCore

// Rows that are on no page: live rows, and rows that edits insert.
extension ListMachine {
    /// A row that is on no page. It is unconfirmed while its only value is that of an optimistic insert.
    struct LocalRow: Sendable {
        var place: PaginatorRowPlace<ListItemID>
        // Its chunk, at the head or the tail.
        var rank = 0
        // Whether it counts as an item of the source, and shifts the offsets of the pages after it.
        var isCounted = false
    }

    // A page requested up to this long before the report may have the live row already.
    static var reportDelay: Duration { .seconds(10) }

    // Inserts rows that are on no page. Without a token they are live rows, which the source pushed.
    mutating func insert(
        _ rows: [(id: ListItemID, value: ListValue)], _ place: PaginatorRowPlace<ListItemID>, token: UInt64?,
        at time: PaginatorInstant
    ) {
        // What overlaps on older pages is never reported.
        let begun = time.advanced(by: Duration.zero - Self.reportDelay)
        // While the scope that is shown begins again, they appear at once among the kept rows. Those from before the
        // switch are reported a second time, for the new ones.
        if let startedAt, startedAt <= time, kept.first?.config.scope.hasSameBytes(as: config.scope) ?? false {
            applyToKept { machine in
                for row in rows { machine.insert(row.id, row.value, place, token: token, at: time, begun: begun) }
            }
        }
        for row in rows { insert(row.id, row.value, place, token: token, at: time, begun: begun) }
        keepToWindow(insertedAt: place)
    }

    // Without a token it is a live row, which the source pushed.
    mutating func insert(
        _ id: ListItemID, _ value: ListValue, _ place: PaginatorRowPlace<ListItemID>, token: UInt64?,
        at time: PaginatorInstant, begun: PaginatorInstant
    ) {
        // Two switches to a scope report its inserted rows twice.
        if let token, tokens[token] != nil { return }
        leavePages(id)
        let wasThere = has(id)
        if token == nil, !wasThere, pushDropped(value, of: id, at: time) { return }
        if !wasThere {
            // Only the source knows the item's earlier values.
            if token != nil || entries[id] == nil { entries[id] = Entry(time: .zero, version: 0) }
            var row = LocalRow(place: place)
            switch place {
            case .head: row.rank = headRows.add(id)
            case .tail: row.rank = tailRows.add(id)
            case .after(let anchor): followers[anchor, default: []].insert(id, at: 0)
            }
            local[id] = row
        }
        if let token {
            tokens[token] = id
            let edit = PendingEdit(token: token, change: { $0 }, begun: time, insert: (value, place))
            return add(edit, of: id)
        }
        let isNew = !wasThere || entries[id]?.base == nil
        push(value, of: id, at: time)
        if isNew, let entry = entries[id], entry.base != nil {
            shiftOffsets(at: id, by: 1, since: entry.time, begun: begun)
        }
    }

    // Takes an item that an edit has removed off its pages, because it is inserted again, perhaps elsewhere.
    private mutating func leavePages(_ id: ListItemID) {
        guard local[id] == nil, let entry = entries[id], entry.base == nil else { return }
        for rank in entry.holders {
            seats[rank]?.ids.removeAll { $0 == id }
            dirty.insert(rank)
        }
        entries[id] = nil
    }

    // Whether only the device has the row so far.
    func isUnconfirmed(_ id: ListItemID) -> Bool { local[id] != nil && entries[id]?.base == nil }

    mutating func push(_ value: ListValue, of id: ListItemID, at time: PaginatorInstant) {
        if let index = entries.index(forKey: id), entries[index].time <= time {
            entries[index].base = value
            entries[index].time = time
        }
        reapplyEdits(id)
    }

    // Gives an item of a page that the window has dropped a new value, to be shown when the page comes back. A new item
    // has a greater ordinal than any on a page, so no page is searched.
    private mutating func pushDropped(_ value: ListValue, of id: ListItemID, at time: PaginatorInstant) -> Bool {
        func isOn(_ pages: [DroppedPage]) -> Bool { pages.contains { $0.ids?.contains(id) ?? false } }
        guard id.ordinal <= lastOrdinal, isOn(droppedBefore) || isOn(droppedAfter) else { return false }
        if entries[id] == nil { entries[id] = Entry(time: .zero, version: 0) }
        push(value, of: id, at: time)
        forget(id, isNewer: true)
        return true
    }

    private func hasExtraOverlap(before rank: Int) -> Bool {
        guard let left = pageRank(before: rank), let old = seats[left], let seat = seats[rank] else { return false }
        return old.stamp < seat.stamp && extraOverlap(left, rank) ?? 0 > 0
    }

    // Explains such an overlap by an insert: that page and those requested later count the row already. Returns the
    // page's request time.
    mutating func countInsert(behind place: Int, since begun: PaginatorInstant) -> PaginatorInstant? {
        overlapping = overlapping.filter { page in ranks[page].map { hasExtraOverlap(before: $0) } ?? false }
        for right in overlapping.compactMap({ ranks[$0] }).sorted() where right > place {
            guard let time = seats[right]?.stamp.time, time > begun else { continue }
            for (rank, seat) in seats where rank > place && seat.isAsNew(as: time) {
                seats[rank]?.shifts.beforeAtFetch += 1
            }
            for index in droppedAfter.indices where droppedAfter[index].fetchedAt >= time {
                droppedAfter[index].shifts.beforeAtFetch += 1
            }
            return time
        }
        return nil
    }

    // Removes a local row, because it is deleted or a page has it.
    //
    // Rows that followed it take its place, or follow `successor`.
    mutating func removeLocal(_ id: ListItemID, keepsEntry: Bool = false, successor: ListItemID? = nil) {
        guard let row = local[id] else { return }
        markDirty(id)
        local[id] = nil
        var orphans: [ListItemID] = []
        if !keepsEntry, entries[id]?.holders.isEmpty == true {
            forget(id)
            // Rows that follow each other in a circle wait for a page that has one of them.
            if row.place != .after(id) { orphans = followers.removeValue(forKey: id) ?? [] }
        }
        if let successor, successor != id {
            // If the successor followed the row, it takes its place.
            let others = orphans.filter { $0 != successor }
            orphans = orphans.filter { $0 == successor }
            leave(others, to: successor)
        }
        for orphan in orphans {
            local[orphan]?.place = row.place
            local[orphan]?.rank = row.rank
        }
        switch row.place {
        case .head: headRows.replace(id, with: orphans, at: row.rank)
        case .tail: tailRows.replace(id, with: orphans, at: row.rank)
        case .after(let anchor):
            if let index = followers[anchor]?.firstIndex(of: id) {
                followers[anchor]?.replaceSubrange(index...index, with: orphans)
            }
            if followers[anchor]?.isEmpty == true { followers[anchor] = nil }
        }
        if let successor { markDirty(successor) }
    }

    // Has the rows after a stand-in follow the item for which it stands.
    mutating func recognize(_ standIn: ListItemID, as id: ListItemID) {
        applyToKept { $0.recognize(standIn, as: id) }
        leave(followers.removeValue(forKey: standIn) ?? [], to: id)
        markDirty(id)
    }

    mutating func leave(_ rows: [ListItemID], to successor: ListItemID) {
        guard !rows.isEmpty else { return }
        followers[successor, default: []].insert(contentsOf: rows, at: 0)
        for row in rows { local[row]?.place = .after(successor) }
    }

    // Has the rows after an item that is gone from its page stay there: behind the item before it, also on pages
    // before that are linked and not older than `time`, or at the head, below the rows that are there.
    mutating func leaveFollowers(
        of id: ListItemID, behind before: ListItemID?, at rank: Int, since time: PaginatorInstant? = nil
    ) {
        var (anchor, first) = (before, rank)
        while anchor == nil, let left = pageRank(before: first), let seat = seats[left], seat.isLinkedToNext,
            time.map({ max(seat.stamp.time, seat.calledAt) >= $0 }) ?? true
        {
            anchor = seat.ids.last { entries[$0]?.base != nil }
            first = left
        }
        guard anchor != nil || first == firstPage && isStartLoaded, let rows = followers.removeValue(forKey: id) else {
            return
        }
        dirty.insert(rank)
        guard let last = anchor else {
            for row in rows {
                let rank = headRows.addLowest(row)
                local[row]?.place = .head
                local[row]?.rank = rank
            }
            return
        }
        followers[last, default: []] += rows
        for row in rows { local[row]?.place = .after(last) }
        markDirty(last)
    }

    // MARK: - The window

    var isTopShown: Bool { isStartLoaded && headRows.hiddenCount == 0 }

    var isBottomShown: Bool { isEndLoaded && tailRows.hiddenCount == 0 }

    // Hides local rows far from the visible ones until the window holds the rest. They are counted as new, and shown
    // when the user scrolls there.
    mutating func hideFarRows() {
        guard let limit = config.windowItems, visible != nil, headRows.count + tailRows.count > 0 else { return }
        rebuildDirty()
        while tree.count > max(1, limit) {
            guard let (first, last) = visiblePositions(), let top = tree.first, let bottom = tree.last else { return }
            let distance = keptDistance
            // Beyond the pages at each end is the outermost visible chunk, if there is one.
            if top < Self.pageRanks.lowerBound, tree.sum(before: top + 1).rows <= first - distance {
                headRows.hide(outermost: top)
            } else if bottom > Self.pageRanks.upperBound, tree.sum(before: bottom).rows > last + distance {
                tailRows.hide(outermost: bottom)
            } else {
                return
            }
            rebuildDirty()
        }
    }

    mutating func revealRows(at end: ListEnd) -> Bool {
        let limit = max(1, config.pageSize)
        let before = self[edge: end].hiddenCount
        guard before > 0, end == .start ? isStartLoaded : isEndLoaded else { return false }
        while before - self[edge: end].hiddenCount < limit, self[edge: end].reveal() {}
        rebuildDirty()
        dropFarPages(at: end.other)
        return true
    }
}
