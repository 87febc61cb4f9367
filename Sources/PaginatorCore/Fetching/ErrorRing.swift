/// The last errors by page, for showing the state of a page. Never an answer; so few that a linear search is fast.
struct ErrorRing: Sendable {
    private let capacity: Int
    private(set) var all: [(identity: PageIdentity, error: PaginatorError)] = []

    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    subscript(identity: PageIdentity) -> PaginatorError? { all.first { $0.identity == identity }?.error }

    mutating func record(_ error: PaginatorError, for identity: PageIdentity) {
        forget(.identity(identity))
        all.append((identity, error))
        if all.count > capacity { all.removeFirst() }
    }

    mutating func forget(_ selection: PageSelection) {
        if !all.isEmpty { all.removeAll { selection.contains($0.identity) } }
    }
}
