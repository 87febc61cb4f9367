import PaginatorCore

// The rows that are shown.
extension ListMachine {
    // Applies the edits of an item again in each chunk; the new version says that the result may differ.
    mutating func refold(_ id: ListItemID) {
        let version = makeNumber()
        if let index = entries.index(forKey: id) { entries.values[index].version = version }
        markDirty(id)
    }

    mutating func markDirty(_ id: ListItemID) {
        guard let rank = chunk(showing: id) else { return }
        if Self.pageRanks.contains(rank) {
            dirty.insert(rank)
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
            if let index = entries.index(forKey: id), let owner = entries.values[index].holders.first { return owner }
            guard !local.isEmpty, let row = local[id] else { return nil }
            guard case .after(let anchor) = row.place else { return row.rank }
            id = anchor
        }
        return nil
    }

    mutating func rebuildDirty() {
        let ranks = dirty
        dirty = []
        for rank in ranks { rebuildChunk(rank) }
        for (rank, ids) in headRows.takeDirty(isShown: isStartLoaded) + tailRows.takeDirty(isShown: isEndLoaded) {
            touches?.insert(rank)
            if ids.isEmpty {
                tree.remove(at: rank)
            } else {
                let rows = rows(of: ids)
                tree.set(ListChunk(rows: rows), Tree.Measure(rows: rows.count), at: rank)
            }
        }
    }

    private mutating func rebuildChunk(_ rank: Int) {
        guard let seat = seats[rank] else { return }
        let rows = rows(of: seat.ids, shownBy: rank)
        let hasGap = !seat.isLinkedToNext && pageRank(after: rank) != nil
        tree.set(
            ListChunk(rows: rows, isFollowedByGap: hasGap), Tree.Measure(rows: rows.count, shift: seat.shift), at: rank)
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
            if let entry = entries[id] {
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
