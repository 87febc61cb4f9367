// What is shown.
extension ListMachine {
    /// Folds the pending edits of an item over its newest value.
    mutating func fold(_ id: ID) {
        guard let entry = entries[id] else { return }
        var value = entry.base
        for edit in pending[id] ?? [] where edit.number > entry.editCount { value = edit.apply(to: value) }
        let version = makeNumber()
        entries[id]?.shown = value
        entries[id]?.version = version
    }

    /// Marks what shows an item to be made anew.
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

    /// What shows an item, or would if it were not hidden.
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

    /// Makes the chunks anew that an event changed.
    mutating func rebuildDirty() {
        if !dirty.isEmpty { rebuildChunks() }
        if !relinked.isEmpty { relinkChunks() }
        if headRows.hasDirtyChunks || !head.isEmpty || !headRows.isEmpty { rebuildHead() }
        if tailRows.hasDirtyChunks || !tail.isEmpty || !tailRows.isEmpty { rebuildTail() }
    }

    private mutating func rebuildHead() {
        for (rank, ids) in headRows.takeDirty() {
            headRows.set(rows(of: ids), at: rank)
            touches.headRanks.insert(rank)
        }
        let shown = isStartLoaded ? headRows.tree : Tree()
        if shown.isEmpty != head.isEmpty { touches.hasHead = true }
        head = shown
    }

    private mutating func rebuildTail() {
        for (rank, ids) in tailRows.takeDirty() {
            tailRows.set(rows(of: ids), at: rank)
            touches.tailRanks.insert(rank)
        }
        let shown = isEndLoaded ? tailRows.tree : Tree()
        if shown.isEmpty != tail.isEmpty { touches.hasTail = true }
        tail = shown
    }

    private mutating func rebuildChunks() {
        var ranks: Set<Int> = []
        swap(&ranks, &dirty)
        defer { Self.reuse(&ranks, as: &dirty) }
        for rank in ranks {
            guard let slot = slots[rank] else { continue }
            var rows: [Row] = []
            rows.reserveCapacity(slot.ids.count)
            for id in slot.ids {
                guard let entry = entries[id], entry.holders.first == rank else { continue }
                emit(id, entry.shown, entry.version, into: &rows)
            }
            let hasGap = !slot.isLinkedToNext && tree.rank(after: rank) != nil
            tree.set(
                Chunk(rows: rows, isFollowedByGap: hasGap), Tree.Measure(rows: rows.count, shift: slot.shift), at: rank)
            touches.ranks.insert(rank)
        }
    }

    /// Puts a set of the usual size back, so that the next event finds its memory.
    private static func reuse(_ ranks: inout Set<Int>, as set: inout Set<Int>) {
        guard set.isEmpty, ranks.capacity <= 64 else { return }
        ranks.removeAll(keepingCapacity: true)
        swap(&ranks, &set)
    }

    private mutating func relinkChunks() {
        var ranks: Set<Int> = []
        swap(&ranks, &relinked)
        defer { Self.reuse(&ranks, as: &relinked) }
        for rank in ranks {
            guard let slot = slots[rank], let place = tree.place(of: rank) else { continue }
            let hasGap = !slot.isLinkedToNext && tree.rank(after: rank) != nil
            guard hasGap != place.payload.isFollowedByGap else { continue }
            tree.set(
                Chunk(rows: place.payload.rows, isFollowedByGap: hasGap),
                Tree.Measure(rows: place.payload.rows.count, shift: slot.shift), at: rank)
            touches.ranks.insert(rank)
        }
    }

    private mutating func rows(of ids: [ID]) -> [Row] {
        var rows: [Row] = []
        for id in ids { emit(id, into: &rows) }
        return rows
    }

    private mutating func emit(_ id: ID, into rows: inout [Row]) {
        let entry = entries[id]
        emit(id, entry?.shown, entry?.version ?? 0, into: &rows)
    }

    /// Adds an item and the local rows behind it.
    private mutating func emit(_ id: ID, _ shown: T?, _ version: UInt64, into rows: inout [Row]) {
        show(id, shown, version, in: &rows)
        guard !followers.isEmpty, var waiting = followers[id].map({ Array($0.reversed()) }) else { return }
        // Rows may follow each other in a chain of any length.
        while let follower = waiting.popLast() {
            let entry = entries[follower]
            show(follower, entry?.shown, entry?.version ?? 0, in: &rows)
            if let next = followers[follower] { waiting += next.reversed() }
        }
    }

    private mutating func show(_ id: ID, _ shown: T?, _ version: UInt64, in rows: inout [Row]) {
        steps += 1
        guard let shown else { return }
        let isPending = !pending.isEmpty && pending[id]?.isEmpty == false
        rows.append(Row(id: id, value: shown, version: version, isPending: isPending))
    }

    /// The number of items shown.
    var rowCount: Int { head.total.rows + tree.total.rows + tail.total.rows }

    /// The position of an item; `nil` when it is not shown.
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

    /// The identity of the row at a position.
    private mutating func id(at position: Int) -> ID? {
        var position = position
        for part in [head, tree, tail] {
            if let place = part.place(ofRow: position) { return place.payload.rows[position - place.before.rows].id }
            position -= part.total.rows
        }
        return nil
    }

    /// The identities of the rows at two positions, of which the second is not the lower one; mostly one page has both.
    mutating func ids(at lower: Int, _ upper: Int) -> (ID, ID)? {
        let inTree = lower - head.total.rows
        if inTree >= 0, let place = tree.place(ofRow: inTree) {
            let (first, last) = (inTree - place.before.rows, upper - head.total.rows - place.before.rows)
            let rows = place.payload.rows
            if last < rows.count { return (rows[first].id, rows[last].id) }
        }
        guard let first = id(at: lower), let last = id(at: upper) else { return nil }
        return (first, last)
    }

    /// Where what is visible begins; `nil` when nothing is, or it is gone.
    mutating func findAnchor() -> Int? {
        if let hintedAnchor, touches.isEmpty { return hintedAnchor }
        return visible.flatMap { position(of: $0.first) }
    }
}
