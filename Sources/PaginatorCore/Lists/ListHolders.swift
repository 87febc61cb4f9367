/// The ranks of the pages that have one item, ascending; the first one shows it.
///
/// Nearly every item is on one page, which takes no memory beside it.
struct ListHolders: Sendable, Equatable {
    /// The lowest rank; `nil` when no page has the item.
    package private(set) var first: Int?
    /// Those above it.
    private var others: [Int] = []

    /// Makes those of an item that no page has.
    init() {}

    package var isEmpty: Bool { first == nil }

    package var count: Int { first == nil ? 0 : 1 + others.count }

    var ranks: [Int] { first.map { [$0] + others } ?? [] }

    /// Whether no rank is there twice or in the wrong place; for tests.
    var isAscending: Bool {
        guard let lowest = others.first else { return true }
        return first.map { $0 < lowest } == true && zip(others, others.dropFirst()).allSatisfy { $0 < $1 }
    }

    package func contains(_ rank: Int) -> Bool { first == rank || (!others.isEmpty && others.contains(rank)) }

    /// Adds a rank, unless it is there.
    package mutating func insert(_ rank: Int) {
        guard let first else {
            self.first = rank
            return
        }
        guard rank != first else { return }
        let other = max(rank, first)
        self.first = min(rank, first)
        let index = others.firstIndex { $0 >= other } ?? others.count
        if index == others.count || others[index] != other { others.insert(other, at: index) }
    }

    /// Takes a rank away, if it is there.
    package mutating func remove(_ rank: Int) {
        if first == rank {
            first = others.isEmpty ? nil : others.removeFirst()
        } else if !others.isEmpty {
            others.removeAll { $0 == rank }
        }
    }

    /// Gives every rank its new number; those that have none go.
    mutating func renumber(_ moved: [Int: Int]) {
        let ranks = ranks.compactMap { moved[$0] }
        first = ranks.first
        others = Array(ranks.dropFirst())
    }
}
