/// Least frequently used first, of equals the least recently used.
///
/// Pages of equal use form a list; a bitmap of two levels finds the lowest list that is not empty, so every call is
/// O(1). Uses beyond ``LFUOrder/maxUses`` are not told apart.
package struct LFUOrder: EvictionOrder {
    /// The highest number of uses that counts.
    package static let maxUses = 4_095

    private struct Node {
        var previous: Int32
        var next: Int32
        var uses: Int32
    }

    private static let end = Int32(-1)
    private static let absent = Int32(-2)

    /// By handle; `uses` is ``absent`` for a page that is not here.
    private var nodes: ContiguousArray<Node> = []
    /// Front and back of each list, by uses.
    private var lists: ContiguousArray<(front: Int32, back: Int32)> = []
    private var filled = ContiguousArray<UInt64>(repeating: 0, count: 64)
    private var filledWords: UInt64 = 0
    /// The page that came last, as long as nobody used it: it makes room, and is not asked to.
    private var newest: Int32 = LFUOrder.end

    /// Makes an empty order.
    package init() {}

    package mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        guard page.index >= 0, page.index < Int32.max - 1 else { return }
        if contains(page) { unlink(page.index) }
        while nodes.count <= page.index {
            nodes.append(Node(previous: Self.end, next: Self.end, uses: Self.absent))
        }
        link(page.index, uses: min(facts.restoredUses, Self.maxUses))
        newest = Int32(page.index)
    }

    package mutating func used(_ page: PageHandle) {
        guard contains(page) else { return }
        let uses = Int(nodes[page.index].uses)
        unlink(page.index)
        link(page.index, uses: min(uses + 1, Self.maxUses))
        if newest == page.index { newest = Self.end }
    }

    package mutating func removed(_ page: PageHandle) {
        guard contains(page) else { return }
        unlink(page.index)
        nodes[page.index].uses = Self.absent
        if newest == page.index { newest = Self.end }
    }

    package mutating func first() -> PageHandle? { first { _ in true } }

    package mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        var level = lowestLevel(from: 0)
        while let uses = level {
            var place = lists[uses].front
            while place != Self.end {
                let page = PageHandle(index: Int(place))
                if place != newest, mayGo(page) { return page }
                place = nodes[Int(place)].next
            }
            level = lowestLevel(from: uses + 1)
        }
        guard newest != Self.end else { return nil }
        let page = PageHandle(index: Int(newest))
        return mayGo(page) ? page : nil
    }

    @inline(__always)
    private func contains(_ page: PageHandle) -> Bool {
        page.index >= 0 && page.index < nodes.count && nodes[page.index].uses != Self.absent
    }

    private func lowestLevel(from level: Int) -> Int? {
        let word = level >> 6
        guard word < 64 else { return nil }
        let rest = filled[word] & (~0 << UInt64(level & 63))
        if rest != 0 { return word << 6 | rest.trailingZeroBitCount }
        guard word < 63 else { return nil }
        let words = filledWords & (~0 << UInt64(word + 1))
        guard words != 0 else { return nil }
        let next = words.trailingZeroBitCount
        return next << 6 | filled[next].trailingZeroBitCount
    }

    private mutating func link(_ index: Int, uses: Int) {
        while lists.count <= uses { lists.append((Self.end, Self.end)) }
        let back = lists[uses].back
        nodes[index] = Node(previous: back, next: Self.end, uses: Int32(uses))
        if back == Self.end {
            lists[uses].front = Int32(index)
            filled[uses >> 6] |= 1 << UInt64(uses & 63)
            filledWords |= 1 << UInt64(uses >> 6)
        } else {
            nodes[Int(back)].next = Int32(index)
        }
        lists[uses].back = Int32(index)
    }

    private mutating func unlink(_ index: Int) {
        let node = nodes[index]
        let uses = Int(node.uses)
        if node.previous == Self.end {
            lists[uses].front = node.next
        } else {
            nodes[Int(node.previous)].next = node.next
        }
        if node.next == Self.end {
            lists[uses].back = node.previous
        } else {
            nodes[Int(node.next)].previous = node.previous
        }
        guard lists[uses].front == Self.end else { return }
        filled[uses >> 6] &= ~(1 << UInt64(uses & 63))
        if filled[uses >> 6] == 0 { filledWords &= ~(1 << UInt64(uses >> 6)) }
    }
}
