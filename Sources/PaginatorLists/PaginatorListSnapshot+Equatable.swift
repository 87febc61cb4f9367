extension PaginatorListSnapshot {
    /// Whether both were taken of the same state of a list. Complexity: O(1).
    package func isSame(as other: Self) -> Bool { rows.isSame(as: other.rows) }
}

extension PaginatorListSnapshot: Equatable where T: Equatable {
    /// Whether both have equal items with equal identities in the same order, and the same gaps and pending edits.
    ///
    /// Pages that snapshots of one list share are not compared. Complexity: O(1) for the same state of a list, O(pages
    /// + items of the changed pages) for two states with the same pages, else O(items).
    public static func == (left: Self, right: Self) -> Bool {
        if left.isSame(as: right) { return true }
        guard left.count == right.count, left.gaps == right.gaps else { return false }
        let (old, new) = (left.rows.chunks, right.rows.chunks)
        let isParallel = old.elementsEqual(new) { $0.rows.count == $1.rows.count }
        return isParallel
            ? zip(old, new).allSatisfy { $0 === $1 || areEqual($0.rows, $1.rows) }
            : areEqual(left.rows.all, right.rows.all)
    }

    private static func areEqual(_ left: [ListRow], _ right: [ListRow]) -> Bool {
        left.elementsEqual(right) { left, right in
            // Two lists have different objects for the same identity.
            (left.id === right.id || ListItemIDs<ID>.id(of: left.id) == ListItemIDs<ID>.id(of: right.id))
                && left.isPending == right.isPending
                && (left.value === right.value
                    || ItemBox<T>.content(of: left.value) == ItemBox<T>.content(of: right.value))
        }
    }
}

extension PaginatorListSnapshot: Hashable where T: Hashable {
    /// Hashes the items. Complexity: O(items).
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for item in self { hasher.combine(item) }
    }
}
