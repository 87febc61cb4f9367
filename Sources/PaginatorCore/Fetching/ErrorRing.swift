/// The last errors by page: at most a fixed number, the oldest forgotten first. Errors are never cached as answers;
/// this is only for showing a page's state.
package struct ErrorRing: Sendable {
    private let capacity: Int
    private var errors: [PageIdentity: (error: PaginatorError, turn: UInt64)] = [:]
    private var order: [(identity: PageIdentity, turn: UInt64)] = []
    private var head = 0
    private var turn: UInt64 = 0

    /// Makes an empty ring that remembers `capacity` errors; none when it is zero or less.
    package init(capacity: Int) {
        self.capacity = max(0, capacity)
    }

    /// The last error of a page. Complexity: O(1).
    package subscript(identity: PageIdentity) -> PaginatorError? { errors[identity]?.error }

    /// The number of errors remembered.
    package var count: Int { errors.count }

    /// The errors remembered, oldest first. Complexity: O(capacity).
    package var all: [(identity: PageIdentity, error: PaginatorError)] {
        errors.sorted { $0.value.turn < $1.value.turn }.map { ($0.key, $0.value.error) }
    }

    /// Remembers `error` as the last of a page, and returns those forgotten for it. Complexity: O(1) amortized.
    package mutating func record(_ error: PaginatorError, for identity: PageIdentity) -> [PaginatorError] {
        turn += 1
        var forgotten: [PaginatorError] = []
        if let earlier = errors.updateValue((error, turn), forKey: identity) { forgotten.append(earlier.error) }
        order.append((identity, turn))
        while errors.count > capacity, head < order.count {
            let oldest = order[head]
            head += 1
            guard errors[oldest.identity]?.turn == oldest.turn else { continue }
            if let removed = errors.removeValue(forKey: oldest.identity) { forgotten.append(removed.error) }
        }
        if order.count > 2 * capacity + 16 { compact() }
        return forgotten
    }

    /// Forgets the errors of the pages named, and returns them. Complexity: O(1) for one page, else O(capacity).
    package mutating func forget(_ selection: PageSelection) -> [PaginatorError] {
        guard !errors.isEmpty else { return [] }
        if case .identity(let identity) = selection {
            return errors.removeValue(forKey: identity).map { [$0.error] } ?? []
        }
        return errors.keys.filter { selection.contains($0) }.compactMap { errors.removeValue(forKey: $0)?.error }
    }

    private mutating func compact() {
        order = order[head...].filter { errors[$0.identity]?.turn == $0.turn }
        head = 0
    }
}
