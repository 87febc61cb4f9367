// What is shown.
extension ListMachine {
    // Each chunk folds the edits anew; it is the version that tells whether they may have come to another value.
    mutating func refold(_ id: ListItemID) {
        let version = makeNumber()
        entries.change(id) { $0.version = version }
        markDirty(id)
    }

    mutating func markDirty(_ id: ListItemID) {
        switch chunk(showing: id) {
        case .slot(let rank): dirty.insert(rank)
        case .head(let rank): headRows.touch(rank)
        case .tail(let rank): tailRows.touch(rank)
        case nil: break
        }
    }

    enum Shower: Equatable {
        case slot(Int)
        case head(Int)
        case tail(Int)
    }

    // What shows an item, or would if it were not hidden.
    func chunk(showing id: ListItemID) -> Shower? {
        var id = id
        // An anchor may be a local row in turn; a circle of them is shown by nothing.
        for _ in 0...local.count {
            if let index = entries.index(forKey: id), let owner = entries.values[index].holders.first {
                return .slot(owner)
            }
            guard !local.isEmpty else { return nil }
            guard let row = local[id] else { return nil }
            switch row.place {
            case .head: return .head(row.rank)
            case .tail: return .tail(row.rank)
            case .after(let anchor): id = anchor
            }
        }
        return nil
    }

    mutating func rebuildDirty() {
        let ranks = dirty
        dirty = []
        for rank in ranks { rebuildChunk(rank) }
        for (rank, ids) in headRows.takeDirty() {
            headRows.set(rows(of: ids), at: rank)
            touches.headRanks.insert(rank)
        }
        for (rank, ids) in tailRows.takeDirty() {
            tailRows.set(rows(of: ids), at: rank)
            touches.tailRanks.insert(rank)
        }
        Self.show(isStartLoaded ? headRows.tree : Tree(), as: &head, &touches.headRanks)
        Self.show(isEndLoaded ? tailRows.tree : Tree(), as: &tail, &touches.tailRanks)
    }

    private mutating func rebuildChunk(_ rank: Int) {
        guard let slot = slots[rank] else { return }
        let rows = rows(of: slot.ids, shownBy: rank)
        let hasGap = !slot.isLinkedToNext && tree.rank(after: rank) != nil
        tree.set(
            Chunk(rows: rows, isFollowedByGap: hasGap), Tree.Measure(rows: rows.count, shift: slot.shift), at: rank)
        touches.ranks.insert(rank)
    }

    private static func show(_ new: Tree, as part: inout Tree, _ ranks: inout Set<Int>) {
        // They come and go as a whole with the page beside them.
        if part.isEmpty != new.isEmpty { ranks.formUnion(part.ranks + new.ranks) }
        part = new
    }

    // Each item with the local rows behind it; of a page those alone that it shows.
    private mutating func rows(of ids: [ListItemID], shownBy rank: Int? = nil) -> [Row] {
        var rows: [Row] = []
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
                if let value { rows.append(Row(id: id, value: value, version: entry.version, isPending: isPending)) }
            }
            // They may be followed in turn.
            if !followers.isEmpty, let others = followers[id] { ids.insert(contentsOf: others, at: next) }
        }
        return rows
    }

    var rowCount: Int { head.total.rows + tree.total.rows + tail.total.rows }

    func position(of id: ListItemID) -> Int? {
        guard let shower = chunk(showing: id) else { return nil }
        let place: Tree.Place?
        let offset: Int
        switch shower {
        case .head(let rank): (place, offset) = (head.place(of: rank), 0)
        case .slot(let rank): (place, offset) = (tree.place(of: rank), head.total.rows)
        case .tail(let rank): (place, offset) = (tail.place(of: rank), head.total.rows + tree.total.rows)
        }
        guard let place else { return nil }
        return place.payload.rows.firstIndex { $0.id == id }.map { offset + place.before.rows + $0 }
    }

    var anchor: Int? { visible.flatMap { position(of: $0.first) } }
}
