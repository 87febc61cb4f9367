/// How one snapshot of a list becomes another: remove, then insert, then replace.
///
/// It names what an event changed and nothing else, so that a view moves no more than it must.
public struct PaginatorListDifference<T: Sendable>: Sendable {
    /// The positions to remove, in the old snapshot, ascending.
    public private(set) var removals: [Range<Int>] = []
    /// The items to insert, at positions of the new snapshot, ascending.
    public private(set) var insertions: [(range: Range<Int>, items: [T])] = []
    /// The items to replace, at positions of the new snapshot, ascending: the same item with another value.
    public private(set) var updates: [(position: Int, item: T)] = []

    /// Makes a difference that changes nothing.
    package init() {}

    /// Whether nothing changes.
    public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && updates.isEmpty }

    /// Applies the difference to a copy of the old snapshot's items.
    ///
    /// - Parameter items: as many as the old snapshot has.
    public func apply(to items: inout [T]) {
        for range in removals.reversed() { items.removeSubrange(range) }
        for insertion in insertions { items.insert(contentsOf: insertion.items, at: insertion.range.lowerBound) }
        for update in updates { items[update.position] = update.item }
    }

    mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if let last = removals.last, last.upperBound == range.lowerBound {
            removals[removals.count - 1] = last.lowerBound..<range.upperBound
        } else {
            removals.append(range)
        }
    }

    mutating func insert(_ items: [T], at position: Int) {
        guard !items.isEmpty else { return }
        if let last = insertions.last, last.range.upperBound == position {
            insertions[insertions.count - 1].range = last.range.lowerBound..<position + items.count
            insertions[insertions.count - 1].items += items
        } else {
            insertions.append((position..<position + items.count, items))
        }
    }

    mutating func update(_ item: T, at position: Int) {
        updates.append((position, item))
    }
}

extension PaginatorListDifference {
    /// Finds what changed between any two snapshots. Complexity: O(items).
    package init<ID>(from old: PaginatorListSnapshot<T, ID>, to new: PaginatorListSnapshot<T, ID>) {
        compare(old.allRows, 0, new.allRows, 0)
    }

    /// Finds what changed in the chunks that were touched. Complexity: O(rows of the chunks touched).
    init<ID>(
        from old: PaginatorListSnapshot<T, ID>, to new: PaginatorListSnapshot<T, ID>, touches: ListTouches
    ) {
        if touches.isEverything {
            compare(old.allRows, 0, new.allRows, 0)
            return
        }
        if touches.hasHead {
            compare(old.head.allRows(), 0, new.head.allRows(), 0)
        } else {
            compare(touches.headRanks, old.head, 0, new.head, 0)
        }
        compare(touches.ranks, old.tree, old.head.total.rows, new.tree, new.head.total.rows)
        let (oldTail, newTail) = (old.count - old.tail.total.rows, new.count - new.tail.total.rows)
        if touches.hasTail {
            compare(old.tail.allRows(), oldTail, new.tail.allRows(), newTail)
        } else {
            compare(touches.tailRanks, old.tail, oldTail, new.tail, newTail)
        }
    }

    /// Compares the chunks of two trees at some ranks; the trees begin at two positions.
    private mutating func compare<ID>(
        _ ranks: Set<Int>, _ old: RankTree<ListChunk<T, ID>>, _ oldStart: Int, _ new: RankTree<ListChunk<T, ID>>,
        _ newStart: Int
    ) {
        for rank in ranks.sorted() {
            let before = old.place(of: rank)
            let after = new.place(of: rank)
            // Of a chunk that is not there only the other's position matters.
            compare(
                before?.payload.rows ?? [], oldStart + (before?.before.rows ?? 0), after?.payload.rows ?? [],
                newStart + (after?.before.rows ?? 0))
        }
    }

    private mutating func compare<ID>(_ old: [ListRow<T, ID>], _ from: Int, _ new: [ListRow<T, ID>], _ to: Int) {
        var start = 0
        let shorter = Swift.min(old.count, new.count)
        while start < shorter, old[start].id == new[start].id {
            if old[start].version != new[start].version { update(new[start].value, at: to + start) }
            start += 1
        }
        var kept = 0
        while kept < shorter - start, old[old.count - 1 - kept].id == new[new.count - 1 - kept].id { kept += 1 }
        compareMiddle(
            old[start..<old.count - kept], from, new[start..<new.count - kept], to)
        for index in new.indices.suffix(kept) {
            let row = new[index]
            if old[index - new.count + old.count].version != row.version { update(row.value, at: to + index) }
        }
    }

    /// Keeps the items that both have, if they are in the same order; else replaces all.
    private mutating func compareMiddle<ID>(
        _ old: ArraySlice<ListRow<T, ID>>, _ from: Int, _ new: ArraySlice<ListRow<T, ID>>, _ to: Int
    ) {
        guard !old.isEmpty, !new.isEmpty else {
            remove(from + old.startIndex..<from + old.endIndex)
            return insert(new.map { $0.value }, at: to + new.startIndex)
        }
        let newIDs = Set(new.map { $0.id })
        let oldIDs = Set(old.map { $0.id })
        let common = old.filter { newIDs.contains($0.id) }
        let stays = common.map { $0.id } == new.map { $0.id }.filter { oldIDs.contains($0) }
        for index in old.indices where !stays || !newIDs.contains(old[index].id) {
            remove(from + index..<from + index + 1)
        }
        var versions = common.map { $0.version }[...]
        for index in new.indices {
            if stays, oldIDs.contains(new[index].id) {
                if versions.popFirst() != new[index].version { update(new[index].value, at: to + index) }
            } else {
                insert([new[index].value], at: to + index)
            }
        }
    }
}

extension PaginatorListSnapshot {
    /// All rows, in order. Complexity: O(items).
    var allRows: [ListRow<T, ID>] {
        head.allRows() + tree.allRows() + tail.allRows()
    }
}

extension RankTree {
    /// All rows of chunks, in order. Complexity: O(rows).
    func allRows<T, ID>() -> [ListRow<T, ID>] where Payload == ListChunk<T, ID> {
        var rows: [ListRow<T, ID>] = []
        rows.reserveCapacity(total.rows)
        forEach { rows += $0.payload.rows }
        return rows
    }
}
