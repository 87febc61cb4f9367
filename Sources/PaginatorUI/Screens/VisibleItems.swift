/// Which items of a list are on the screen, for frameworks that tell of each row alone when it comes and goes.
struct VisibleItems<ID: Hashable> {
    private var ids: Set<ID> = []

    mutating func didAppear(_ id: ID) { ids.insert(id) }

    mutating func didDisappear(_ id: ID) { ids.remove(id) }

    /// The positions from the first visible item to the last; `nil` when none is visible. Complexity: O(visible items).
    mutating func range(position: (ID) -> Int?) -> Range<Int>? {
        var range: Range<Int>?
        // A framework that takes a row away with its item does not always say that it disappeared.
        ids = ids.filter { id in
            guard let position = position(id) else { return false }
            range = min(range?.lowerBound ?? position, position)..<max(range?.upperBound ?? 0, position + 1)
            return true
        }
        return range
    }
}
