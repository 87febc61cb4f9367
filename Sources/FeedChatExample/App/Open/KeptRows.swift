/// The rows of screens as they were made last: a window looks at them many times between two changes.
struct KeptRows {
    private var made: [Int64: [AppRow]] = [:]

    /// The rows of a screen, made anew only after it has changed.
    mutating func rows(of id: Int64, make: () -> [AppRow]?) -> [AppRow]? {
        if let known = made[id] { return known }
        made[id] = make()
        return made[id]
    }

    /// A screen has changed, or is closed.
    mutating func forget(_ id: Int64) { made[id] = nil }
}
