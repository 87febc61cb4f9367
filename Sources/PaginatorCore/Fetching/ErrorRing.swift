/// The last errors by page, for showing a page's state: never answers, and so few that they are looked through.
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
