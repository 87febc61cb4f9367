/// What a list shows at one time: a random-access collection that never changes and shares its pages with the list.
///
/// Taking one is O(1), reaching an item O(log pages), walking through all O(items).
public struct PaginatorListSnapshot<T: Sendable, ID: Hashable & Sendable>: Sendable, RandomAccessCollection {
    typealias Tree = RankTree<ListChunk<T, ID>>

    /// The rows above the pages.
    let head: Tree
    /// The pages.
    let tree: Tree
    /// The rows below the pages.
    let tail: Tree

    /// Makes an empty snapshot.
    public init() {
        self.init(head: Tree(), tree: Tree(), tail: Tree())
    }

    init(head: Tree, tree: Tree, tail: Tree) {
        self.head = head
        self.tree = tree
        self.tail = tail
    }

    /// Always zero.
    public var startIndex: Int { 0 }

    /// The number of items. Complexity: O(1).
    public var endIndex: Int { head.total.rows + tree.total.rows + tail.total.rows }

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
                gaps.append(head.total.rows + place.before.rows + place.payload.rows.count)
            }
        }
        return gaps
    }

    func row(at position: Int) -> ListRow<T, ID> {
        precondition(indices.contains(position), "position \(position) is outside 0..<\(count)")
        let inTree = position - head.total.rows
        let (part, local) =
            inTree < 0
            ? (head, position) : inTree < tree.total.rows ? (tree, inTree) : (tail, inTree - tree.total.rows)
        guard let place = part.place(ofRow: local) else { preconditionFailure("no chunk has row \(position)") }
        return place.payload.rows[local - place.before.rows]
    }

    /// Walks through the items, in O(1) each on average.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Walks through a snapshot page by page.
    public struct Iterator: IteratorProtocol {
        private var nodes: [Tree.Node] = []
        private var rows: [ListRow<T, ID>] = []
        private var position = 0
        /// What comes after the nodes, the last one first.
        private var parts: [Tree]

        init(_ snapshot: PaginatorListSnapshot) {
            parts = [snapshot.tail, snapshot.tree, snapshot.head]
        }

        private mutating func push(_ node: Tree.Node?) {
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
                } else if let part = parts.popLast() {
                    rows = []
                    push(part.root)
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
    var snapshot: PaginatorListSnapshot<T, ID> { PaginatorListSnapshot(head: head, tree: tree, tail: tail) }
}
