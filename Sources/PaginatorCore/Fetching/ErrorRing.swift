/// The last errors by page: at most a fixed number, the oldest forgotten first. Errors are never cached as answers;
/// this is only for showing a page's state.
struct ErrorRing: Sendable {
    private let capacity: Int
    private var errors: [PageIdentity: (error: PaginatorError, number: UInt64)] = [:]
    private var order: [(identity: PageIdentity, number: UInt64)] = []
    private var head = 0
    private var lastNumber: UInt64 = 0

    /// Makes an empty ring that remembers `capacity` errors; none when it is zero or less.
    init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// The last error of a page. Complexity: O(1).
    package subscript(identity: PageIdentity) -> PaginatorError? { errors[identity]?.error }

    /// The number of errors remembered.
    package var count: Int { errors.count }

    /// The errors remembered, oldest first. Complexity: O(capacity).
    package var all: [(identity: PageIdentity, error: PaginatorError)] {
        errors.sorted { $0.value.number < $1.value.number }.map { ($0.key, $0.value.error) }
    }

    /// Remembers `error` as the last of a page, in place of the oldest where there are too many. Complexity: O(1)
    /// amortized.
    package mutating func record(_ error: PaginatorError, for identity: PageIdentity) {
        lastNumber += 1
        errors[identity] = (error, lastNumber)
        order.append((identity, lastNumber))
        while errors.count > capacity, head < order.count {
            let oldest = order[head]
            head += 1
            guard errors[oldest.identity]?.number == oldest.number else { continue }
            errors[oldest.identity] = nil
        }
        if order.count > 2 * capacity + 16 { compact() }
    }

    /// Forgets the errors of the pages named. Complexity: O(1) for one page, else O(capacity).
    package mutating func forget(_ selection: PageSelection) {
        guard !errors.isEmpty else { return }
        if case .identity(let identity) = selection {
            errors[identity] = nil
        } else {
            for identity in errors.keys.filter({ selection.contains($0) }) { errors[identity] = nil }
        }
    }

    private mutating func compact() {
        order = order[head...].filter { errors[$0.identity]?.number == $0.number }
        head = 0
    }
}
