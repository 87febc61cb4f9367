/// What a list shows at one time: a random-access collection that never changes and shares its pages with the list.
///
/// Taking one is O(1), reaching an item O(log pages), walking through all O(items).
public struct PaginatorListSnapshot<T: Sendable, ID: Hashable & Sendable>: Sendable, RandomAccessCollection {
    typealias Tree = RankTree<ListChunk<T, ID>>

    // The rows above the pages, the pages, and the rows below.
    let parts: [Tree]
    /// The number of items. Complexity: O(1).
    public let endIndex: Int

    /// Makes an empty snapshot.
    public init() {
        self.init([Tree(), Tree(), Tree()])
    }

    init(_ parts: [Tree]) {
        self.parts = parts
        endIndex = parts.reduce(0) { $0 + $1.total.rows }
    }

    /// Always zero.
    public var startIndex: Int { 0 }

    /// The item at a position. Complexity: O(log pages).
    public subscript(position: Int) -> T { row(at: position).value }

    /// The identity of the item at a position. Complexity: O(log pages).
    public func id(at position: Int) -> ID { row(at: position).id }

    /// Whether an edit that is not committed yet lies over the item at a position, or made it.
    public func isPending(at position: Int) -> Bool { row(at: position).isPending }

    /// The positions behind which something may be missing: gaps, in ascending order. Complexity: O(pages).
    ///
    /// Fill one with ``PaginatorList/fillGap(at:fromEnd:)``.
    public var gaps: [Int] {
        var gaps: [Int] = []
        parts[1].forEach { place in
            if place.payload.isFollowedByGap {
                gaps.append(parts[0].total.rows + place.before.rows + place.payload.rows.count)
            }
        }
        return gaps
    }

    func row(at position: Int) -> ListRow<T, ID> {
        guard let chunk = chunk(at: position) else {
            preconditionFailure("position \(position) is outside 0..<\(count)")
        }
        return chunk.place.payload.rows[position - chunk.start]
    }

    func chunk(at position: Int) -> (place: Tree.Place, start: Int, part: Int)? {
        var start = 0
        for (index, part) in parts.enumerated() {
            if let place = part.place(ofRow: position - start) { return (place, start + place.before.rows, index) }
            start += part.total.rows
        }
        return nil
    }

    /// Walks through the items, in O(1) each on average.
    public func makeIterator() -> Iterator { Iterator(parts) }

    /// Walks through a snapshot page by page.
    public struct Iterator: IteratorProtocol {
        private let parts: [Tree]
        @usableFromInline var rows: [ListRow<T, ID>] = []
        @usableFromInline var index = 0
        // The part that `rows` are from, and the position of what follows them there.
        private var part = 0
        private var end = 0

        fileprivate init(_ parts: [Tree]) {
            self.parts = parts
        }

        // Inlinable, because a walk that calls another module for each item takes ten times as long.
        /// Returns the next item.
        @inlinable
        public mutating func next() -> T? {
            if index == rows.count, !takeChunk() { return nil }
            defer { index += 1 }
            return rows[index].value
        }

        @usableFromInline
        mutating func takeChunk() -> Bool {
            while part < parts.count {
                if let place = parts[part].place(ofRow: end) {
                    (rows, index) = (place.payload.rows, 0)
                    end += rows.count
                    return true
                }
                (part, end) = (part + 1, 0)
            }
            return false
        }
    }
}

extension ListMachine {
    var snapshot: PaginatorListSnapshot<T, ID> { PaginatorListSnapshot([head, tree, tail]) }
}
