/// A row of a screen's list as the page draws it.
struct AppRow: Sendable, Hashable {
    /// The permanent id of the row: unique in its list.
    let id: String
    let content: AppRowContent
}

/// One step from the rows of a page to the rows that it should show; positions refer to the state before the step.
enum RowOp: Sendable, Hashable {
    case remove(Int)
    case insert(Int, AppRow)
    case replace(Int, AppRow)

    /// Returns the steps from old rows to new ones: removals from last to first, insertions from first to last, then
    /// updates. As many rows as possible stay; the others are removed and inserted with the same id.
    ///
    /// Complexity: O(n log n) in the rows between the first and the last difference, O(n) in the others.
    static func ops(from old: [AppRow], to new: [AppRow]) -> [RowOp] {
        var start = 0
        while start < min(old.count, new.count), old[start].id == new[start].id { start += 1 }
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > start, newEnd > start, old[oldEnd - 1].id == new[newEnd - 1].id {
            (oldEnd, newEnd) = (oldEnd - 1, newEnd - 1)
        }
        let places = Dictionary(
            (start..<newEnd).map { (new[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        let staying = longestRise((start..<oldEnd).map { (old: $0, new: places[old[$0].id]) })
        let (stayingOld, stayingNew) = (Set(staying.map(\.old)), Set(staying.map(\.new)))
        let removals = (start..<oldEnd).reversed().filter { !stayingOld.contains($0) }.map { RowOp.remove($0) }
        let insertions = (start..<newEnd).filter { !stayingNew.contains($0) }.map { RowOp.insert($0, new[$0]) }
        var changed: [RowOp] = []
        for place in 0..<start where old[place] != new[place] { changed.append(.replace(place, new[place])) }
        for pair in staying where old[pair.old] != new[pair.new] { changed.append(.replace(pair.new, new[pair.new])) }
        for place in newEnd..<new.count where old[place + old.count - new.count] != new[place] {
            changed.append(.replace(place, new[place]))
        }
        return removals + insertions + changed
    }

    /// Returns the most pairs, in the order of the old rows, whose new positions increase (patience sorting, Aldous and
    /// Diaconis 1999).
    private static func longestRise(_ pairs: [(old: Int, new: Int?)]) -> [(old: Int, new: Int)] {
        let pairs = pairs.compactMap { pair in pair.new.map { (old: pair.old, new: $0) } }
        // The last pair of the best sequence of each length, and the pair before each.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].new < pair.new { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var rise: [(old: Int, new: Int)] = []
        var next = ends.last
        while let index = next {
            rise.append(pairs[index])
            next = before[index]
        }
        return rise.reversed()
    }

    var json: AppJSON {
        switch self {
        case .remove(let place): ["-", .int(Int64(place))]
        case .insert(let place, let row): ["+", .int(Int64(place)), row.json]
        case .replace(let place, let row): ["=", .int(Int64(place)), row.json]
        }
    }
}
