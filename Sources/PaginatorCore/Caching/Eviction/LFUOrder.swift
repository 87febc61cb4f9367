/// Evicts the least frequently used page; with equal use, the least recently used one.
///
/// Pages with the same number of uses form a list, and a bitmap tells which lists are not empty. So every call is O(1):
/// finding the lowest list reads 64 words at most. Uses beyond ``LFUOrder/maxUses`` do not count.
struct LFUOrder: EvictionOrder {
    static let maxUses = 4_095

    var limits: EvictionLimits
    private var links = ListLinks()
    /// By number of uses.
    private var lists: ContiguousArray<LinkedList> = []
    private var filled = ContiguousArray<UInt64>(repeating: 0, count: (maxUses + 1) / 64)
    /// By handle.
    private var uses: ContiguousArray<Int> = []
    // The last inserted page, until it is used. It is evicted last, so that a new page is not evicted for itself.
    private var newest: PageHandle?

    init(_ limits: EvictionLimits) {
        self.limits = limits
    }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        guard page.index >= 0, page.index < Int32.max else { return }
        unlink(page)
        while uses.count <= page.index { uses.append(0) }
        link(page, uses: facts.restoredUses)
        newest = page
    }

    mutating func used(_ page: PageHandle) {
        guard links.contains(page.index) else { return }
        unlink(page)
        link(page, uses: uses[page.index] + 1)
    }

    mutating func removed(_ page: PageHandle) { unlink(page) }

    mutating func first(where isEvictable: (PageHandle) -> Bool) -> PageHandle? {
        for word in filled.indices {
            var bits = filled[word]
            while bits != 0 {
                // The lowest set bit belongs to the list with the fewest uses.
                let list = lists[word * 64 + bits.trailingZeroBitCount]
                let index = links.first(in: list) { $0 != newest?.index && isEvictable(PageHandle(index: $0)) }
                if let index { return PageHandle(index: index) }
                bits &= bits - 1
            }
        }
        return newest.flatMap { isEvictable($0) ? $0 : nil }
    }

    private mutating func link(_ page: PageHandle, uses count: Int) {
        let count = min(count, Self.maxUses)
        uses[page.index] = count
        // Lists are created when needed: few pages are used thousands of times.
        while lists.count <= count { lists.append(LinkedList()) }
        links.append(page.index, to: &lists[count])
        filled[count / 64] |= 1 << UInt64(count % 64)
    }

    // Does nothing if the page is not in a list.
    private mutating func unlink(_ page: PageHandle) {
        guard links.contains(page.index) else { return }
        let count = uses[page.index]
        links.remove(page.index, from: &lists[count])
        if lists[count].count == 0 { filled[count / 64] &= ~(1 << UInt64(count % 64)) }
        if newest == page { newest = nil }
    }
}
