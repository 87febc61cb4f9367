/// Chains through the pages that have something in common, such as their key: a table leads to the first page of each.
///
/// Pages are known by their handles' indices. Memory is freed by ``deallocate()``; the owner's lock guards every call.
struct PageChains {
    private struct Link {
        var hash: UInt32
        var previous: Int32
        var next: Int32
    }

    private static let end = Int32(-1)

    private var heads = HandleTable<Void>()
    private var links: UnsafeMutablePointer<Link>
    private var capacity = 16

    init() {
        links = .allocate(capacity: capacity)
        links.initialize(repeating: Link(hash: 0, previous: Self.end, next: Self.end), count: capacity)
    }

    /// Gives the memory back; the chains must not be used any more.
    func deallocate() {
        heads.deallocate()
        links.deallocate()
    }

    /// Returns the pages of the chain with this hash whose first page satisfies `matches`. Complexity: O(the chain).
    func pages(of hash: UInt64, where matches: (Int) -> Bool) -> [Int] {
        heads.slot(of: StableHash.shortened(hash), where: matches).map { pages(from: heads.index(at: $0)) } ?? []
    }

    /// Returns a chain's pages from a given one on. Complexity: O(pages returned).
    func pages(from head: Int) -> [Int] {
        var result: [Int] = []
        var place = Int32(head)
        while place != Self.end {
            result.append(Int(place))
            place = links[Int(place)].next
        }
        return result
    }

    /// Puts a page, which is in no chain, at the front of the chain with this hash whose first page satisfies
    /// `matches`.
    @inline(__always)
    mutating func insert(_ page: Int, hash: UInt64, where matches: (Int) -> Bool) {
        if page >= capacity { grow(toHold: page) }
        let hash = StableHash.shortened(hash)
        guard let slot = heads.slot(of: hash, where: matches) else {
            links[page] = Link(hash: hash, previous: Self.end, next: Self.end)
            heads.insert(page, hash: hash)
            return
        }
        let head = heads.index(at: slot)
        links[page] = Link(hash: hash, previous: Self.end, next: Int32(head))
        links[head].previous = Int32(page)
        heads.replace(at: slot, with: page)
    }

    /// Takes a page out of its chain.
    @inline(__always)
    mutating func remove(_ page: Int) {
        let link = links[page]
        if link.next != Self.end { links[Int(link.next)].previous = link.previous }
        if link.previous != Self.end {
            links[Int(link.previous)].next = link.next
        } else if let slot = heads.slot(of: link.hash, where: { $0 == page }) {
            if link.next == Self.end {
                heads.remove(at: slot)
            } else {
                heads.replace(at: slot, with: Int(link.next))
            }
        }
    }

    private mutating func grow(toHold page: Int) {
        let larger = max(page + 1, capacity * 2)
        let moved = UnsafeMutablePointer<Link>.allocate(capacity: larger)
        moved.initialize(repeating: Link(hash: 0, previous: Self.end, next: Self.end), count: larger)
        moved.update(from: links, count: capacity)
        links.deallocate()
        links = moved
        capacity = larger
    }
}
