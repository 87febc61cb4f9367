import PaginatorLists

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
        let common = (start..<oldEnd).compactMap { place in places[old[place].id].map { (old: place, new: $0) } }
        let staying = longestAscent(common.map(\.new)).map { common[$0] }
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

    var json: AppJSON {
        switch self {
        case .remove(let place): ["-", .int(Int64(place))]
        case .insert(let place, let row): ["+", .int(Int64(place)), row.json]
        case .replace(let place, let row): ["=", .int(Int64(place)), row.json]
        }
    }
}
