/// The visible items of a list, for frameworks that report each row as it appears and disappears.
struct VisibleItems<ID: Hashable> {
    private var ids: Set<ID> = []

    /// The number of items that have appeared and were not reported to disappear.
    var count: Int { ids.count }

    mutating func didAppear(_ id: ID) { ids.insert(id) }

    mutating func didDisappear(_ id: ID) { ids.remove(id) }

    /// The range of the visible positions; `nil` if no item is visible. Complexity: O(visible items).
    mutating func range(position: (ID) -> Int?) -> Range<Int>? {
        var range: Range<Int>?
        // A framework does not always report that a removed row disappeared.
        ids = ids.filter { id in
            guard let position = position(id) else { return false }
            range = min(range?.lowerBound ?? position, position)..<max(range?.upperBound ?? 0, position + 1)
            return true
        }
        return range
    }
}
