// What is shown.
extension ListMachine {
    mutating func fold(_ id: ID) {
        guard let entry = entries[id] else { return }
        var value = entry.base
        for edit in pending[id] ?? [] where edit.number > entry.editCount { value = edit.apply(to: value) }
        let version = makeNumber()
        entries[id]?.shown = value
        entries[id]?.version = version
    }

    mutating func markDirty(_ id: ID) {
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
    func chunk(showing id: ID) -> Shower? {
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
        rebuild(\.headRows, into: \.head, isShown: isStartLoaded, \.headRanks)
        rebuild(\.tailRows, into: \.tail, isShown: isEndLoaded, \.tailRanks)
    }

    private mutating func rebuildChunk(_ rank: Int) {
        guard let slot = slots[rank] else { return }
        let ids = slot.ids.filter { entries[$0]?.holders.first == rank }
        let rows = rows(of: ids)
        let hasGap = !slot.isLinkedToNext && tree.rank(after: rank) != nil
        tree.set(
            Chunk(rows: rows, isFollowedByGap: hasGap), Tree.Measure(rows: rows.count, shift: slot.shift), at: rank)
        touches.ranks.insert(rank)
    }

    private mutating func rebuild(
        _ edge: WritableKeyPath<Self, ListEdge<T, ID>>, into part: WritableKeyPath<Self, Tree>, isShown: Bool,
        _ ranks: WritableKeyPath<ListTouches, Set<Int>>
    ) {
        for (rank, ids) in self[keyPath: edge].takeDirty() {
            let rows = rows(of: ids)
            self[keyPath: edge].set(rows, at: rank)
            touches[keyPath: ranks].insert(rank)
        }
        let (old, new) = (self[keyPath: part], isShown ? self[keyPath: edge].tree : Tree())
        // They come and go as a whole with the page beside them.
        if old.isEmpty != new.isEmpty { touches[keyPath: ranks].formUnion(old.ranks + new.ranks) }
        self[keyPath: part] = new
    }

    // Each item with the local rows behind it.
    private mutating func rows(of ids: [ID]) -> [Row] {
        var rows: [Row] = []
        rows.reserveCapacity(ids.count)
        for id in ids {
            // Rows may follow each other in a chain of any length.
            var waiting = [id]
            while let id = waiting.popLast() {
                steps += 1
                if let entry = entries[id], let value = entry.shown {
                    let isPending = pending[id]?.isEmpty == false
                    rows.append(Row(id: id, value: value, version: entry.version, isPending: isPending))
                }
                if let next = followers[id] { waiting += next.reversed() }
            }
        }
        return rows
    }

    var rowCount: Int { head.total.rows + tree.total.rows + tail.total.rows }

    mutating func position(of id: ID) -> Int? {
        guard let shower = chunk(showing: id) else { return nil }
        let place: Tree.Place?
        let offset: Int
        switch shower {
        case .head(let rank): (place, offset) = (head.place(of: rank), 0)
        case .slot(let rank): (place, offset) = (tree.place(of: rank), head.total.rows)
        case .tail(let rank): (place, offset) = (tail.place(of: rank), head.total.rows + tree.total.rows)
        }
        guard let place else { return nil }
        steps += place.payload.rows.count
        return place.payload.rows.firstIndex { $0.id == id }.map { offset + place.before.rows + $0 }
    }

    func id(at position: Int) -> ID? {
        var position = position
        for part in [head, tree, tail] {
            if let place = part.place(ofRow: position) { return place.payload.rows[position - place.before.rows].id }
            position -= part.total.rows
        }
        return nil
    }

    mutating func findAnchor() -> Int? {
        visible.flatMap { position(of: $0.first) }
    }
}
