/// Tasks in doubly linked lists through one array, and nothing else: no count, no handles that go stale, no age.
struct LinkedSlab {
    private struct Node {
        var next: Int32
        var previous: Int32
        var list: Int32
        // What a task needs besides, so that a node weighs as much as one that does more.
        var task: (UInt64, UInt64, Int64, Int64) = (0, 0, 0, 0)
    }

    private static let lists: Int32 = 3
    private var nodes: [Node]

    /// Makes a slab whose nodes lie in the lists in turn.
    init(count: Int) {
        nodes = (0..<Self.lists).map { Node(next: $0, previous: $0, list: $0) }
        nodes.reserveCapacity(count + Int(Self.lists))
        for number in 0..<count {
            nodes.append(Node(next: 0, previous: 0, list: 0))
            append(Int32(number) + Self.lists, to: Int32(number) % Self.lists)
        }
    }

    private mutating func append(_ node: Int32, to list: Int32) {
        nodes.withUnsafeMutableBufferPointer { nodes in
            let last = nodes[Int(list)].previous
            nodes[Int(node)].next = list
            nodes[Int(node)].previous = last
            nodes[Int(node)].list = list
            nodes[Int(last)].next = node
            nodes[Int(list)].previous = node
        }
    }

    private mutating func unlink(_ node: Int32) {
        nodes.withUnsafeMutableBufferPointer { nodes in
            let (next, previous) = (nodes[Int(node)].next, nodes[Int(node)].previous)
            nodes[Int(previous)].next = next
            nodes[Int(next)].previous = previous
        }
    }

    /// Takes a node out and puts it at the end of another list.
    mutating func move(_ number: Int, to list: Int) {
        let node = Int32(number) + Self.lists
        unlink(node)
        nodes[Int(node)].task.0 &+= 1
        append(node, to: Int32(list))
    }

    /// Takes the first node of the last list that has one, and puts it at the end of another.
    mutating func takeFirst(to list: Int) -> Int {
        for from in (0..<Self.lists).reversed() {
            let node = nodes[Int(from)].next
            guard node != from else { continue }
            unlink(node)
            append(node, to: Int32(list))
            return Int(node - Self.lists)
        }
        return -1
    }
}
