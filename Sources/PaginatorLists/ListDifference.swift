/// A difference of rows with the item type erased.
typealias ListDifference = PaginatorListDifference<ListValue>

extension ListDifference {
    /// Complexity: O(rows of the touched chunks), and O(n log n) for the rows of a run between its equal beginning and
    /// end.
    init(
        from old: ListRows, to new: ListRows, touches: Set<Int>?, by isEqual: @escaping (ListValue, ListValue) -> Bool
    ) {
        var comparison = RowComparison(isEqual: isEqual)
        if let touches {
            for rank in touches.sorted() { comparison.add(old.place(of: rank), new.place(of: rank)) }
        } else {
            (comparison.old, comparison.new) = (old.all, new.all)
        }
        comparison.compareRun()
        self.init()
        // An item may have moved from one run to another.
        let origins = comparison.came.isEmpty ? [:] : Dictionary(comparison.left.map { ($0.row.id, $0) }) { $1 }
        var moved: Set<ListItemID> = []
        for target in comparison.came {
            if let origin = origins[target.row.id] {
                moved.insert(target.row.id)
                moves.append((origin.position, target.position))
                comparison.keepMoved(origin, target)
            } else {
                insert(target)
            }
        }
        for row in comparison.left where !moved.contains(row.row.id) { remove(row.position) }
        updates = comparison.updates
        if !moves.isEmpty { updates.sort { $0.position < $1.position } }
    }

    private mutating func remove(_ position: Int) {
        if let last = removals.last, last.upperBound == position {
            removals[removals.count - 1] = last.lowerBound..<position + 1
        } else {
            removals.append(position..<position + 1)
        }
    }

    private mutating func insert(_ target: RowComparison.Row) {
        if let last = insertions.last, last.range.upperBound == target.position {
            insertions[insertions.count - 1].range = last.range.lowerBound..<target.position + 1
            insertions[insertions.count - 1].items.append(target.row.value)
        } else {
            insertions.append((target.position..<target.position + 1, [target.row.value]))
        }
    }
}

/// Compares chunks run by run.
///
/// A run is a sequence of touched chunks with no untouched chunk between them. An item that is in another run than
/// before has moved; within a run, a longest increasing subsequence of rows does not move.
private struct RowComparison {
    typealias Row = (position: Int, row: ListRow)

    let isEqual: (ListValue, ListValue) -> Bool
    // The rows of the current run.
    var old: [ListRow] = []
    var new: [ListRow] = []
    // The number of untouched rows before the run, and of rows in earlier runs.
    private var untouched = 0
    private var (oldBefore, newBefore) = (0, 0)
    // Items in both snapshots with different values.
    private(set) var updates: [(position: Int, oldPosition: Int, item: ListValue, isMoved: Bool)] = []
    // Items that left their place. One that is in both snapshots has moved.
    private(set) var left: [Row] = []
    private(set) var came: [Row] = []

    init(isEqual: @escaping (ListValue, ListValue) -> Bool) {
        self.isEqual = isEqual
    }

    mutating func add(_ before: ListRows.Place?, _ after: ListRows.Place?) {
        // An identical chunk counts as untouched.
        guard before?.payload !== after?.payload else { return }
        let place = before.map { $0.before.rows - oldBefore - old.count }
        if let start = place ?? after.map({ $0.before.rows - newBefore - new.count }), start > untouched {
            compareRun()
            untouched = start
        }
        // Usually the run is this chunk, whose rows it then shares.
        if let rows = before?.payload.rows { Self.append(rows, to: &old) }
        if let rows = after?.payload.rows { Self.append(rows, to: &new) }
    }

    private static func append(_ rows: [ListRow], to run: inout [ListRow]) {
        if run.isEmpty { run = rows } else { run += rows }
    }

    mutating func compareRun() {
        let (old, new) = (self.old, self.new)
        let (from, to) = (untouched + oldBefore, untouched + newBefore)
        func keep(_ before: Int, _ after: Int) {
            // By index: copying a row costs more than comparing it.
            guard old[before].version != new[after].version else { return }
            let value = new[after].value
            guard old[before].isPending != new[after].isPending || !isEqual(old[before].value, value) else { return }
            updates.append((to + after, from + before, value, false))
        }
        // Equal rows at both ends stay, which usually are all rows.
        var (start, oldEnd, newEnd) = (0, old.count, new.count)
        while start < min(oldEnd, newEnd), old[start].id == new[start].id {
            keep(start, start)
            start += 1
        }
        while min(oldEnd, newEnd) > start, old[oldEnd - 1].id == new[newEnd - 1].id {
            (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
        }
        var places: [ListItemID: Int] = [:]
        if start < newEnd { for index in start..<oldEnd { places[old[index].id] = index } }
        let common = (start..<newEnd).compactMap { index in places[new[index].id].map { (old: $0, new: index) } }
        var (oldNext, newNext) = (start, start)
        for stays in longestAscent(common.map(\.old)).map({ common[$0] }) + [(old: oldEnd, new: newEnd)] {
            left += (oldNext..<stays.old).map { (from + $0, old[$0]) }
            came += (newNext..<stays.new).map { (to + $0, new[$0]) }
            if stays.new < newEnd { keep(stays.old, stays.new) }
            (oldNext, newNext) = (stays.old + 1, stays.new + 1)
        }
        for (before, after) in zip(oldEnd..<old.count, newEnd..<new.count) { keep(before, after) }
        (oldBefore, newBefore) = (oldBefore + old.count, newBefore + new.count)
        (self.old, self.new) = ([], [])
    }

    mutating func keepMoved(_ old: Row, _ new: Row) {
        guard old.row.version != new.row.version,
            old.row.isPending != new.row.isPending || !isEqual(old.row.value, new.row.value)
        else { return }
        updates.append((new.position, old.position, new.row.value, true))
    }
}

/// The indices of a longest increasing subsequence, in O(n log n).
///
/// After Fredman, "On computing the length of longest increasing subsequences", 1975.
package func longestAscent(_ numbers: [Int]) -> [Int] {
    // `ends`: for each length, the index of the lowest last number. `previous`: the number before each one.
    var ends: [Int] = []
    var previous: [Int] = []
    for (index, number) in numbers.enumerated() {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
        }
        previous.append(low > 0 ? ends[low - 1] : -1)
        if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var ascent = ends
    for length in ends.indices.reversed().dropFirst() { ascent[length] = previous[ascent[length + 1]] }
    return ascent
}
