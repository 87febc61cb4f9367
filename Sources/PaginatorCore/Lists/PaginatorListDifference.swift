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

    init(_ difference: ListDifference) {
        removals = difference.removals
        // Loops rather than closures, which would look the type up for each item.
        for insertion in difference.insertions {
            var items: [T] = []
            items.reserveCapacity(insertion.items.count)
            for value in insertion.items { items.append(ItemBox.content(of: value)) }
            insertions.append((insertion.range, items))
        }
        for update in difference.updates { updates.append((update.position, ItemBox.content(of: update.item))) }
    }
}

extension PaginatorListDifference {
    /// Finds what changed between any two snapshots. Complexity: O(items).
    package init<ID>(from old: PaginatorListSnapshot<T, ID>, to new: PaginatorListSnapshot<T, ID>) {
        self.init(ListDifference(from: old.rows, to: new.rows, touches: nil))
    }
}

/// A difference of rows, whatever their type.
typealias ListDifference = PaginatorListDifference<ListValue>

extension ListDifference {
    init(from old: ListRows, to new: ListRows, touches: Set<Int>?) {
        guard let touches else {
            compare(old.all, 0, new.all, 0)
            return
        }
        for rank in touches.sorted() {
            let (before, after) = (old.place(of: rank), new.place(of: rank))
            // Of a chunk that is not there only the other's position matters.
            compare(
                before?.payload.rows ?? [], before?.before.rows ?? 0, after?.payload.rows ?? [],
                after?.before.rows ?? 0)
        }
    }

    private mutating func remove(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if let last = removals.last, last.upperBound == range.lowerBound {
            removals[removals.count - 1] = last.lowerBound..<range.upperBound
        } else {
            removals.append(range)
        }
    }

    private mutating func insert(_ values: [ListValue], at position: Int) {
        guard !values.isEmpty else { return }
        if let last = insertions.last, last.range.upperBound == position {
            insertions[insertions.count - 1].range = last.range.lowerBound..<position + values.count
            insertions[insertions.count - 1].items += values
        } else {
            insertions.append((position..<position + values.count, values))
        }
    }

    private mutating func compare(_ old: [ListRow], _ from: Int, _ new: [ListRow], _ to: Int) {
        // What begins and ends alike stays, and mostly that is all.
        var (start, oldEnd, newEnd) = (0, old.count, new.count)
        while start < Swift.min(oldEnd, newEnd), old[start].id == new[start].id {
            // In place: a row costs more to copy than to compare.
            if old[start].version != new[start].version { updates.append((to + start, new[start].value)) }
            start += 1
        }
        while Swift.min(oldEnd, newEnd) > start, old[oldEnd - 1].id == new[newEnd - 1].id {
            (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
        }
        compareMiddle(old[start..<oldEnd], from, new[start..<newEnd], to)
        for (before, after) in zip(oldEnd..<old.count, newEnd..<new.count) {
            compare(old[before], new[after], at: to + after)
        }
    }

    // Keeps the items that both have, if they are in the same order; else replaces all.
    private mutating func compareMiddle(
        _ old: ArraySlice<ListRow>, _ from: Int, _ new: ArraySlice<ListRow>, _ to: Int
    ) {
        guard !old.isEmpty, !new.isEmpty else {
            remove(from + old.startIndex..<from + old.endIndex)
            return insert(new.map(\.value), at: to + new.startIndex)
        }
        let (oldIDs, newIDs) = (Set(old.lazy.map(\.id)), Set(new.lazy.map(\.id)))
        var kept = old.filter { newIDs.contains($0.id) }[...]
        if !kept.elementsEqual(new.lazy.filter { oldIDs.contains($0.id) }, by: { $0.id == $1.id }) { kept = [] }
        let keptIDs = Set(kept.lazy.map(\.id))
        for index in old.indices where !keptIDs.contains(old[index].id) { remove(from + index..<from + index + 1) }
        for index in new.indices {
            if keptIDs.contains(new[index].id), let before = kept.popFirst() {
                compare(before, new[index], at: to + index)
            } else {
                insert([new[index].value], at: to + index)
            }
        }
    }

    private mutating func compare(_ old: ListRow, _ new: ListRow, at position: Int) {
        if old.version != new.version { updates.append((position, new.value)) }
    }
}
