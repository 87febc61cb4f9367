/// A cache of the rows of screens, because a window reads them many times between two changes.
struct RowCache {
    private var made: [Int64: [AppRow]] = [:]

    /// Returns the rows of a screen, which are created again only after it has changed.
    mutating func rows(of id: Int64, make: () -> [AppRow]?) -> [AppRow]? {
        if let known = made[id] { return known }
        made[id] = make()
        return made[id]
    }

    /// Removes the rows of a screen that has changed or was closed.
    mutating func forget(_ id: Int64) { made[id] = nil }
}
