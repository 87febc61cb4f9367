/// What a list shows at one time: a random-access collection that never changes and shares its pages with the list.
///
/// Taking one is O(1), reaching an item O(log pages), walking through all O(items).
public struct PaginatorListSnapshot<T: Sendable, ID: Hashable & Sendable>: Sendable, RandomAccessCollection {
    package let head: ListChunk<T, ID>
    package let tree: RankTree<ListChunk<T, ID>>
    package let tail: ListChunk<T, ID>

    /// Makes an empty snapshot.
    public init() {
        self.init(head: ListChunk(rows: []), tree: RankTree(), tail: ListChunk(rows: []))
    }

    package init(head: ListChunk<T, ID>, tree: RankTree<ListChunk<T, ID>>, tail: ListChunk<T, ID>) {
        self.head = head
        self.tree = tree
        self.tail = tail
    }

    /// Always zero.
    public var startIndex: Int { 0 }

    /// The number of items. Complexity: O(1).
    public var endIndex: Int { head.rows.count + tree.total.rows + tail.rows.count }

    /// The item at a position. Complexity: O(log pages).
    public subscript(position: Int) -> T { row(at: position).value }

    /// The identity of the item at a position. Complexity: O(log pages).
    public func id(at position: Int) -> ID { row(at: position).id }

    /// Whether an edit that is not committed yet lies over the item at a position, or made it.
    public func isPending(at position: Int) -> Bool { row(at: position).isPending }

    /// The positions behind which something may be missing: gaps, in ascending order. Complexity: O(pages).
    ///
    /// Fill one with ``PaginatorList/fillGap(at:from:)``.
    public var gaps: [Int] {
        var gaps: [Int] = []
        tree.forEach { place in
            if place.payload.isFollowedByGap {
                gaps.append(head.rows.count + place.before.rows + place.payload.rows.count)
            }
        }
        return gaps
    }

    package func row(at position: Int) -> ListRow<T, ID> {
        precondition(indices.contains(position), "position \(position) is outside 0..<\(count)")
        if position < head.rows.count { return head.rows[position] }
        let inTree = position - head.rows.count
        guard let place = tree.place(ofRow: inTree) else { return tail.rows[inTree - tree.total.rows] }
        return place.payload.rows[inTree - place.before.rows]
    }

    /// Walks through the items, in O(1) each on average.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Walks through a snapshot page by page.
    public struct Iterator: IteratorProtocol {
        private var nodes: [RankTree<ListChunk<T, ID>>.Node] = []
        private var rows: [ListRow<T, ID>]
        private var position = 0
        private var tail: [ListRow<T, ID>]?

        init(_ snapshot: PaginatorListSnapshot) {
            rows = snapshot.head.rows
            tail = snapshot.tail.rows
            push(snapshot.tree.root)
        }

        private mutating func push(_ node: RankTree<ListChunk<T, ID>>.Node?) {
            var node = node
            while let current = node {
                nodes.append(current)
                node = current.left
            }
        }

        /// Returns the next item.
        public mutating func next() -> T? {
            while position == rows.count {
                position = 0
                if let node = nodes.popLast() {
                    rows = node.payload.rows
                    push(node.right)
                } else if let last = tail {
                    rows = last
                    tail = nil
                } else {
                    rows = []
                    return nil
                }
            }
            defer { position += 1 }
            return rows[position].value
        }
    }
}

extension ListMachine {
    /// What is shown now. Complexity: O(1).
    package var snapshot: PaginatorListSnapshot<T, ID> { PaginatorListSnapshot(head: head, tree: tree, tail: tail) }
}
