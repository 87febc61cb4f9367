/// The last errors by page: at most a fixed number, the oldest forgotten first. Errors are never cached as answers;
/// this is only for showing a page's state.
///
/// There are so few that they are looked through.
struct ErrorRing: Sendable {
    private let capacity: Int
    /// The errors remembered, oldest first.
    private(set) var all: [(identity: PageIdentity, error: PaginatorError)] = []

    /// Makes an empty ring that remembers `capacity` errors; none when it is zero or less.
    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// The last error of a page. Complexity: O(capacity).
    subscript(identity: PageIdentity) -> PaginatorError? { all.first { $0.identity == identity }?.error }

    /// Remembers `error` as the last of a page, in place of the oldest where there are too many. Complexity: O(capacity).
    mutating func record(_ error: PaginatorError, for identity: PageIdentity) {
        forget(.identity(identity))
        all.append((identity, error))
        if all.count > capacity { all.removeFirst() }
    }

    /// Forgets the errors of the pages named. Complexity: O(capacity).
    mutating func forget(_ selection: PageSelection) {
        if !all.isEmpty { all.removeAll { selection.contains($0.identity) } }
    }
}
