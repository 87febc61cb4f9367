/// A row of a list whose items are shown with separators between them.
public enum PaginatorSeparatedRow<Item: Sendable, Separator: Sendable>: Sendable {
    /// An item.
    case item(Item)
    /// What stands before the next item.
    case separator(Separator)
}

extension PaginatorSeparatedRow: Equatable where Item: Equatable, Separator: Equatable {}

// What sits on top of a snapshot. A snapshot is a `RandomAccessCollection`, so `snapshot.lazy.map` and
// `snapshot.lazy.filter` transform it without copying; separators need to see two neighbors.
extension PaginatorListSnapshot {
    /// Returns the items with separators between them, such as a date above the first item of each day.
    ///
    /// ``PaginatorListSeparation`` keeps such rows up with a list at the cost of what changes. Complexity: O(items).
    ///
    /// - Parameter separator: takes two neighbors, the first one `nil` at the start and the second one at the end, and
    ///   returns what stands between them, or `nil` for nothing. An empty snapshot has no separators.
    public func separated<Separator>(
        by separator: (_ before: T?, _ after: T?) -> Separator?
    ) -> [PaginatorSeparatedRow<T, Separator>] {
        guard !isEmpty else { return [] }
        var rows: [PaginatorSeparatedRow<T, Separator>] = []
        rows.reserveCapacity(count)
        var before: T?
        for item in self {
            if let found = separator(before, item) { rows.append(.separator(found)) }
            rows.append(.item(item))
            before = item
        }
        if let found = separator(before, nil) { rows.append(.separator(found)) }
        return rows
    }
}
