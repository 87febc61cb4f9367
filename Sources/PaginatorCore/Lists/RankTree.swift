/// A persistent map from ranks to payloads, in the order of the ranks: a balanced tree whose versions share their nodes.
///
/// Each node knows the rows and the offset shift below it, so that a row is found by its position, and a sum up to a
/// rank read, in O(log n). Changing one version leaves all others as they were, which is what makes a snapshot of a
/// list free. The balance is that of Adelson-Velsky and Landis, "An algorithm for the organization of information"
/// (1962).
struct RankTree<Payload: Sendable>: Sendable {
    /// What a node adds to the sums of the nodes above it.
    struct Measure: Sendable, Equatable {
        package var rows: Int
        var shift: Int

        init(rows: Int = 0, shift: Int = 0) {
            self.rows = rows
            self.shift = shift
        }

        static func + (left: Measure, right: Measure) -> Measure {
            Measure(rows: left.rows + right.rows, shift: left.shift + right.shift)
        }
    }

    /// A payload with its place.
    package struct Place: Sendable {
        package let rank: Int
        package let payload: Payload
        /// The sums of everything before it.
        package let before: Measure
    }

    final class Node: Sendable {
        let rank: Int
        let payload: Payload
        let own: Measure
        /// The sums of the left subtree.
        let before: Measure
        let left: Node?
        let right: Node?
        let height: Int
        let count: Int
        let total: Measure

        init(_ rank: Int, _ payload: Payload, _ own: Measure, _ left: Node?, _ right: Node?) {
            self.rank = rank
            self.payload = payload
            self.own = own
            self.left = left
            self.right = right
            height = Swift.max(left?.height ?? 0, right?.height ?? 0) + 1
            count = (left?.count ?? 0) + (right?.count ?? 0) + 1
            before = left?.total ?? Measure()
            total = before + own + (right?.total ?? Measure())
        }
    }

    private(set) var root: Node?
    /// How many nodes were visited or made by calls on this value and those that it was copied from.
    package private(set) var visits = 0

    /// Makes an empty tree.
    init() {}

    /// The number of payloads.
    package var count: Int { root?.count ?? 0 }

    package var isEmpty: Bool { root == nil }

    /// The sums of all payloads.
    package var total: Measure { root?.total ?? Measure() }

    /// Puts a payload at a rank, in place of the one there. Complexity: O(log n).
    package mutating func set(_ payload: Payload, _ measure: Measure, at rank: Int) {
        root = inserting(rank, payload, measure, into: root)
    }

    /// Takes the payload of a rank away. Complexity: O(log n).
    package mutating func remove(at rank: Int) {
        root = removing(rank, from: root)
    }

    /// Returns the payload of a rank with its place. Complexity: O(log n).
    package mutating func find(_ rank: Int) -> Place? {
        let (place, steps) = located(rank)
        visits += steps
        return place
    }

    /// Returns the payload of a rank with its place, without counting. Complexity: O(log n).
    package func place(of rank: Int) -> Place? { located(rank).place }

    private func located(_ rank: Int) -> (place: Place?, steps: Int) {
        var before = Measure()
        var steps = 0
        var place: Place?
        descend { node in
            steps += 1
            if rank < node.rank { return .left }
            before = before + node.before
            if rank == node.rank {
                place = Place(rank: rank, payload: node.payload, before: before)
                return .stop
            }
            before = before + node.own
            return .right
        }
        return (place, steps)
    }

    private enum Step { case left, right, stop }

    /// Goes down from the root as long as there is a node to go to.
    private func descend(_ step: (Node) -> Step) {
        var next = root
        while let node = next {
            switch step(node) {
            case .left: next = node.left
            case .right: next = node.right
            case .stop: return
            }
        }
    }

    /// Returns the payload that has the row at `position`, in O(log n); `nil` when there is no such row.
    package mutating func find(row position: Int) -> Place? {
        let (place, steps) = located(row: position)
        visits += steps
        return place
    }

    /// Returns the payload that has the row at `position`, in O(log n) and without counting; `nil` when there is no such
    /// row.
    package func place(ofRow position: Int) -> Place? { located(row: position).place }

    private func located(row position: Int) -> (place: Place?, steps: Int) {
        guard position >= 0, position < total.rows else { return (nil, 0) }
        var before = Measure()
        var steps = 0
        var place: Place?
        descend { node in
            steps += 1
            let left = before + node.before
            if position < left.rows { return .left }
            if position < left.rows + node.own.rows {
                place = Place(rank: node.rank, payload: node.payload, before: left)
                return .stop
            }
            before = left + node.own
            return .right
        }
        return (place, steps)
    }

    /// Returns the sums of everything before a rank, which need not be there. Complexity: O(log n).
    package mutating func sum(before rank: Int) -> Measure {
        var before = Measure()
        var steps = 0
        descend { node in
            steps += 1
            guard rank > node.rank else { return .left }
            before = before + node.before + node.own
            return .right
        }
        visits += steps
        return before
    }

    /// The smallest rank. Complexity: O(log n).
    package var first: Int? {
        var first: Int?
        descend { node in
            first = node.rank
            return .left
        }
        return first
    }

    /// The largest rank. Complexity: O(log n).
    package var last: Int? {
        var last: Int?
        descend { node in
            last = node.rank
            return .right
        }
        return last
    }

    /// The largest rank below `rank`. Complexity: O(log n).
    package func rank(before rank: Int) -> Int? {
        var found: Int?
        descend { node in
            guard node.rank < rank else { return .left }
            found = node.rank
            return .right
        }
        return found
    }

    /// The smallest rank above `rank`. Complexity: O(log n).
    package func rank(after rank: Int) -> Int? {
        var found: Int?
        descend { node in
            guard node.rank > rank else { return .right }
            found = node.rank
            return .left
        }
        return found
    }

    /// All ranks, in order. Complexity: O(n).
    var ranks: [Int] {
        var ranks: [Int] = []
        forEach { ranks.append($0.rank) }
        return ranks
    }

    /// Calls `body` with every payload in order. Complexity: O(n).
    package func forEach(_ body: (Place) -> Void) {
        var before = Measure()
        func visit(_ node: Node?) {
            guard let node else { return }
            visit(node.left)
            body(Place(rank: node.rank, payload: node.payload, before: before))
            before = before + node.own
            visit(node.right)
        }
        visit(root)
    }
}

// MARK: - Balance

extension RankTree {
    private mutating func inserting(
        _ rank: Int, _ payload: Payload, _ measure: Measure, into node: Node?
    ) -> Node {
        visits += 1
        guard let node else { return Node(rank, payload, measure, nil, nil) }
        if rank == node.rank { return Node(rank, payload, measure, node.left, node.right) }
        if rank < node.rank {
            return balanced(node, inserting(rank, payload, measure, into: node.left), node.right)
        }
        return balanced(node, node.left, inserting(rank, payload, measure, into: node.right))
    }

    private mutating func removing(_ rank: Int, from node: Node?) -> Node? {
        guard let node else { return nil }
        visits += 1
        if rank < node.rank { return balanced(node, removing(rank, from: node.left), node.right) }
        if rank > node.rank { return balanced(node, node.left, removing(rank, from: node.right)) }
        guard let right = node.right else { return node.left }
        guard node.left != nil else { return right }
        var successor = right
        while let left = successor.left {
            visits += 1
            successor = left
        }
        return balanced(successor, node.left, removing(successor.rank, from: right))
    }

    /// Makes a node with the payload of `node` over two subtrees whose heights differ by two at most.
    private mutating func balanced(_ node: Node, _ left: Node?, _ right: Node?) -> Node {
        let difference = (left?.height ?? 0) - (right?.height ?? 0)
        if difference > 1, let left {
            if (left.left?.height ?? 0) >= (left.right?.height ?? 0) {
                return copy(left, left.left, copy(node, left.right, right))
            }
            if let middle = left.right {
                return copy(middle, copy(left, left.left, middle.left), copy(node, middle.right, right))
            }
        }
        if difference < -1, let right {
            if (right.right?.height ?? 0) >= (right.left?.height ?? 0) {
                return copy(right, copy(node, left, right.left), right.right)
            }
            if let middle = right.left {
                return copy(middle, copy(node, left, middle.left), copy(right, middle.right, right.right))
            }
        }
        return copy(node, left, right)
    }

    private func copy(_ node: Node, _ left: Node?, _ right: Node?) -> Node {
        Node(node.rank, node.payload, node.own, left, right)
    }
}
