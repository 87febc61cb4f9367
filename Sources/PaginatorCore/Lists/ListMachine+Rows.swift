// What is shown.
extension ListMachine {
    /// Folds the pending edits of an item over its newest value.
    mutating func fold(_ id: ID) {
        guard let base = entries[id].map({ $0.base }) else { return }
        var value = base
        for edit in pending[id] ?? [] { value = value.flatMap(edit.change) }
        let version = makeNumber()
        entries[id]?.shown = value
        entries[id]?.version = version
    }

    /// Marks what shows an item to be made anew.
    mutating func markDirty(_ id: ID) {
        switch chunk(showing: id) {
        case .slot(let rank): dirty.insert(rank)
        case .head: touches.hasHead = true
        case .tail: touches.hasTail = true
        case nil: break
        }
    }

    enum Shower: Equatable {
        case slot(Int)
        case head
        case tail
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
            switch local[id]?.place {
            case .head: return .head
            case .tail: return .tail
            case .after(let anchor): id = anchor
            case nil: return nil
            }
        }
        return nil
    }

    /// Makes the chunks anew that an event changed.
    mutating func rebuildDirty() {
        if !dirty.isEmpty { rebuildChunks() }
        if !relinked.isEmpty { relinkChunks() }
        if touches.hasHead { head = Chunk(rows: isStartLoaded ? rows(of: headRows) : []) }
        if touches.hasTail { tail = Chunk(rows: isEndLoaded ? rows(of: tailRows) : []) }
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
            guard let slot = slots[rank], let place = tree.find(rank) else { continue }
            let hasGap = !slot.isLinkedToNext && tree.rank(after: rank) != nil
            guard hasGap != place.payload.isFollowedByGap else { continue }
            tree.set(
                place.payload.followed(byGap: hasGap),
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
        steps += 1
        if let shown {
            let isPending =
                (!local.isEmpty && local[id]?.token != nil) || (!pending.isEmpty && pending[id]?.isEmpty == false)
            rows.append(Row(id: id, value: shown, version: version, isPending: isPending))
        }
        guard !followers.isEmpty, let followers = followers[id] else { return }
        for follower in followers { emit(follower, into: &rows) }
    }

    /// Head and tail rows come and go with the pages beside them.
    mutating func updateEdges() {
        if !headRows.isEmpty || !head.rows.isEmpty { touches.hasHead = true }
        if !tailRows.isEmpty || !tail.rows.isEmpty { touches.hasTail = true }
    }

    /// The number of items shown.
    var rowCount: Int { head.rows.count + tree.total.rows + tail.rows.count }

    /// The position of an item; `nil` when it is not shown.
    mutating func position(of id: ID) -> Int? {
        guard let shower = chunk(showing: id) else { return nil }
        let rows: [Row]
        let offset: Int
        switch shower {
        case .head:
            (rows, offset) = (head.rows, 0)
        case .tail:
            (rows, offset) = (tail.rows, head.rows.count + tree.total.rows)
        case .slot(let rank):
            guard let place = tree.find(rank) else { return nil }
            (rows, offset) = (place.payload.rows, head.rows.count + place.before.rows)
        }
        steps += rows.count
        return rows.firstIndex { $0.id == id }.map { offset + $0 }
    }

    /// The identity of the row at a position.
    private mutating func id(at position: Int) -> ID? {
        guard position >= 0 else { return nil }
        if position < head.rows.count { return head.rows[position].id }
        let inTree = position - head.rows.count
        if let place = tree.find(row: inTree) { return place.payload.rows[inTree - place.before.rows].id }
        let inTail = inTree - tree.total.rows
        return inTail < tail.rows.count ? tail.rows[inTail].id : nil
    }

    /// The identities of the rows at two positions, of which the second is not the lower one; mostly one page has both.
    mutating func ids(at lower: Int, _ upper: Int) -> (ID, ID)? {
        let inTree = lower - head.rows.count
        if inTree >= 0, let place = tree.find(row: inTree) {
            let (first, last) = (inTree - place.before.rows, upper - head.rows.count - place.before.rows)
            let rows = place.payload.rows
            if last < rows.count { return (rows[first].id, rows[last].id) }
        }
        guard let first = id(at: lower), let last = id(at: upper) else { return nil }
        return (first, last)
    }

    /// Where what is visible begins; `nil` when nothing is, or it is gone.
    package mutating func findAnchor() -> Int? {
        if let hintedAnchor, touches.isEmpty { return hintedAnchor }
        return visible.flatMap { position(of: $0.first) }
    }
}
