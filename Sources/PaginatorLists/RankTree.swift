import PaginatorCore

/// A persistent map from ranks to payloads, ordered by rank. Its versions share nodes.
///
/// Each node has the sums of rows and offset shifts below it, so finding a row by position, and a sum up to a rank, is
/// O(log n). A change does not affect other versions, which makes a list's snapshot free. It is a treap (Seidel and
/// Aragon, "Randomized search trees", 1996): a node's priority is above those of its children, and is a hash of its
/// rank, so the shape depends only on the ranks.
struct RankTree<Payload: AnyObject & Sendable>: Sendable {
    struct Measure: Sendable, Equatable {
        var rows = 0
        var shift = 0

        static func + (left: Measure, right: Measure) -> Measure {
            Measure(rows: left.rows + right.rows, shift: left.shift + right.shift)
        }
    }

    struct Place: Sendable {
        let rank: Int
        let payload: Payload
        let before: Measure
    }

    private final class Node: Sendable {
        let rank: Int
        let payload: Payload
        let own: Measure
        let left: Node?
        let right: Node?
        let total: Measure

        init(_ rank: Int, _ payload: Payload, _ own: Measure, _ left: Node?, _ right: Node?) {
            self.rank = rank
            self.payload = payload
            self.own = own
            self.left = left
            self.right = right
            total = (left?.total ?? Measure()) + own + (right?.total ?? Measure())
        }

        // Unique for each rank.
        var priority: UInt64 { RankTree.priority(of: rank) }
    }

    private var root: Node?

    private static func priority(of rank: Int) -> UInt64 {
        var random = SplitMix64(seed: UInt64(bitPattern: Int64(rank)))
        return random.next()
    }

    // The distance between the ranks of consecutive pages, which leaves room for pages that fill gaps.
    static var step: Int { Int.bitWidth > 32 ? 1 << 32 : 1 << 12 }

    var total: Measure { root?.total ?? Measure() }

    // Whether both are the same version. Complexity: O(1).
    func isSame(as other: RankTree) -> Bool { root === other.root }

    func forEach(_ body: (Place) -> Void) {
        func visit(_ node: Node, _ start: Measure) {
            let before = start + (node.left?.total ?? Measure())
            if let left = node.left { visit(left, start) }
            body(Place(rank: node.rank, payload: node.payload, before: before))
            if let right = node.right { visit(right, before + node.own) }
        }
        if let root { visit(root, Measure()) }
    }

    var ranks: [Int] {
        var ranks: [Int] = []
        forEach { ranks.append($0.rank) }
        return ranks
    }

    /// The payloads in order. Each step is O(1) on average, and O(log n) at most.
    struct Iterator: IteratorProtocol {
        // The nodes that come before what is to their right, the next one last.
        private var path: [Node] = []

        init(_ tree: RankTree) {
            descend(from: tree.root)
        }

        mutating func next() -> Payload? {
            guard let node = path.popLast() else { return nil }
            descend(from: node.right)
            return node.payload
        }

        private mutating func descend(from top: Node?) {
            var next = top
            while let node = next {
                path.append(node)
                next = node.left
            }
        }
    }
}

// MARK: - Search

// Each is O(log n).
extension RankTree {
    func place(of rank: Int) -> Place? {
        let found = search { node, _ in node.rank < rank }
        return found.next?.rank == rank ? found.place : nil
    }

    func place(ofRow position: Int) -> Place? {
        guard position >= 0 else { return nil }
        // An empty chunk at that position precedes the row's chunk.
        return search { node, start in start.rows + node.own.rows <= position }.place
    }

    // Returns the sums of everything before a rank, which need not exist.
    func sum(before rank: Int) -> Measure { search { node, _ in node.rank < rank }.before }

    var first: Int? { search { _, _ in false }.next?.rank }

    var last: Int? { search { _, _ in true }.last?.rank }

    func rank(before rank: Int) -> Int? { search { node, _ in node.rank < rank }.last?.rank }

    func rank(after rank: Int) -> Int? { search { node, _ in node.rank <= rank }.next?.rank }

    /// The two neighbors of a boundary, and the sums of everything before it.
    private struct Boundary {
        var last: Node?
        var next: Node?
        var before = Measure()

        var place: Place? { next.map { Place(rank: $0.rank, payload: $0.payload, before: before) } }
    }

    private func search(_ isBefore: (Node, _ start: Measure) -> Bool) -> Boundary {
        var boundary = Boundary()
        var node = root
        while let current = node {
            let start = boundary.before + (current.left?.total ?? Measure())
            if isBefore(current, start) {
                boundary.last = current
                boundary.before = start + current.own
                node = current.right
            } else {
                boundary.next = current
                node = current.left
            }
        }
        return boundary
    }
}

// MARK: - Changes

// Each is O(log n).
extension RankTree {
    mutating func set(_ payload: Payload, _ measure: Measure, at rank: Int) {
        root = inserting(Node(rank, payload, measure, nil, nil), into: root)
    }

    mutating func remove(at rank: Int) {
        root = removing(rank, from: root)
    }

    private func inserting(_ new: Node, into node: Node?) -> Node {
        guard let node else { return new }
        if new.rank == node.rank { return copy(new, node.left, node.right) }
        // A node of lower priority has no node of this rank below it.
        if new.priority > node.priority {
            let (left, right) = split(node, at: new.rank)
            return copy(new, left, right)
        }
        return new.rank < node.rank
            ? copy(node, inserting(new, into: node.left), node.right)
            : copy(node, node.left, inserting(new, into: node.right))
    }

    private func removing(_ rank: Int, from node: Node?) -> Node? {
        guard let node else { return nil }
        // Only the path from the root is copied; the rest is shared with earlier versions.
        if rank == node.rank { return joined(node.left, node.right) }
        return rank < node.rank
            ? copy(node, removing(rank, from: node.left), node.right)
            : copy(node, node.left, removing(rank, from: node.right))
    }

    // Splits at a rank that does not exist: the nodes below it, and those above it.
    private func split(_ node: Node?, at rank: Int) -> (Node?, Node?) {
        guard let node else { return (nil, nil) }
        if node.rank < rank {
            let (below, above) = split(node.right, at: rank)
            return (copy(node, node.left, below), above)
        }
        let (below, above) = split(node.left, at: rank)
        return (below, copy(node, above, node.right))
    }

    private func joined(_ left: Node?, _ right: Node?) -> Node? {
        guard let left else { return right }
        guard let right else { return left }
        // The node with the higher priority becomes the root, as if both had been inserted one by one.
        return left.priority > right.priority
            ? copy(left, left.left, joined(left.right, right)) : copy(right, joined(left, right.left), right.right)
    }

    private func copy(_ node: Node, _ left: Node?, _ right: Node?) -> Node {
        Node(node.rank, node.payload, node.own, left, right)
    }
}
