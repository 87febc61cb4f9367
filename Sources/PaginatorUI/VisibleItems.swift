/// Which items of a list are on the screen, for frameworks that tell of each row alone when it comes and goes.
struct VisibleItems<ID: Hashable> {
    private var ids: Set<ID> = []

    mutating func didAppear(_ id: ID) { ids.insert(id) }

    mutating func didDisappear(_ id: ID) { ids.remove(id) }

    /// The positions from the first visible item to the last; `nil` when none is visible.
    func range(position: (ID) -> Int?) -> Range<Int>? {
        let positions = ids.compactMap(position)
        guard let first = positions.min(), let last = positions.max() else { return nil }
        return first..<last + 1
    }
}
