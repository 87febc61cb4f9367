import PaginatorCore

// The rows that are shown.
extension ListMachine {
    // Applies the edits of an item again in each chunk; the new version says that the result may differ.
    mutating func reapplyEdits(_ id: ListItemID) {
        let version = makeNumber()
        if let index = entries.index(forKey: id) { entries[index].version = version }
        markDirty(id, alone: true)
    }

    // `alone`: whether only its own row changes.
    mutating func markDirty(_ id: ListItemID, alone: Bool = false) {
        guard let rank = chunk(showing: id) else { return }
        if Self.pageRanks.contains(rank) {
            if alone, (dirtyRows[rank] ?? id) == id { dirtyRows[rank] = id } else { dirty.insert(rank) }
        } else if rank < 0 {
            headRows.touch(rank)
        } else {
            tailRows.touch(rank)
        }
    }

    // Returns the rank of the chunk that shows an item, or would if it were not hidden.
    func chunk(showing id: ListItemID) -> Int? {
        var id = id
        // An anchor may itself be a local row. A circle of anchors is not shown.
        for _ in 0...local.count {
            if let index = entries.index(forKey: id), let owner = entries[index].holders.first { return owner }
            guard !local.isEmpty, let row = local[id] else { return nil }
            guard case .after(let anchor) = row.place else { return row.rank }
            id = anchor
        }
        return nil
    }

    mutating func rebuildDirty() {
        let (ranks, ids) = (dirty, dirtyRows)
        (dirty, dirtyRows) = ([], [:])
        for rank in ranks { rebuildChunk(rank) }
        for (rank, id) in ids where !ranks.contains(rank) { rebuildRow(of: id, at: rank) }
        for (rank, ids) in headRows.takeDirty(isShown: isStartLoaded) + tailRows.takeDirty(isShown: isEndLoaded) {
            touches?.insert(rank)
            if ids.isEmpty {
                tree.remove(at: rank)
            } else {
                let rows = rows(of: ids)
                tree.set(ListChunk(rows: rows), at: rank)
            }
        }
    }

    private mutating func rebuildChunk(_ rank: Int) {
        guard let seat = seats[rank] else { return }
        let rows = rows(of: seat.ids, shownBy: rank)
        let hasGap = !seat.isLinkedToNext && pageRank(after: rank) != nil
        tree.set(ListChunk(rows: rows, isFollowedByGap: hasGap), shift: seat.shifts.own, at: rank)
        touches?.insert(rank)
    }

    private mutating func rebuildRow(of id: ListItemID, at rank: Int) {
        guard let shift = seats[rank]?.shifts.own, let chunk = tree.place(of: rank)?.payload, followers[id] == nil,
            let index = chunk.rows.firstIndex(where: { $0.id == id })
        else { return rebuildChunk(rank) }
        var rows = chunk.rows
        rows.replaceSubrange(index...index, with: self.rows(of: [id], shownBy: rank))
        tree.set(ListChunk(rows: rows, isFollowedByGap: chunk.isFollowedByGap), shift: shift, at: rank)
        touches?.insert(rank)
    }

    // Returns the items, each followed by the local rows after it; of a page only the items that it shows.
    private mutating func rows(of ids: [ListItemID], shownBy rank: Int? = nil) -> [ListRow] {
        var rows: [ListRow] = []
        rows.reserveCapacity(ids.count)
        var ids = ids
        var next = 0
        while next < ids.count {
            let id = ids[next]
            next += 1
            if let index = entries.index(forKey: id) {
                let entry = entries[index]
                // A local row has no page.
                if let rank, let owner = entry.holders.first, owner != rank { continue }
                var (value, isPending) = (entry.base, false)
                if !pending.isEmpty, let edits = pending[id] {
                    isPending = true
                    for edit in edits where edit.number > entry.editCount { value = edit.apply(to: value) }
                }
                if let value {
                    rows.append(ListRow(id: id, value: value, version: entry.version, isPending: isPending))
                }
            }
            // These rows may have followers, too.
            if !followers.isEmpty, let others = followers[id] { ids.insert(contentsOf: others, at: next) }
        }
        return rows
    }

    func position(of id: ListItemID) -> Int? {
        chunk(showing: id).flatMap { tree.position(of: id, at: $0) }
    }

    var anchor: Int? { kept.isEmpty ? ownAnchor : kept[0].anchor }

    private var ownAnchor: Int? { visible.flatMap { position(of: $0.first) } }
}
