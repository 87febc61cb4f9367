/// What the adaptive order knows of each page that it watches, in memory of its own; pages are numbers from 0.
///
/// What a read of a page needs, its links for all lists and its standing with the policies, lies on one line of the
/// processor's cache; what is asked when a page comes or goes lies apart. The value that owns this copies it before it
/// changes a shared one, so that a strategy stays a value.
///
/// `@unchecked Sendable`: it is changed only through a value that has made sure that it holds the only reference, and
/// such a value is changed under its cache's lock.
final class ShadowNodes: @unchecked Sendable {
    struct Link {
        static let none = Link(previous: ShadowNodes.unlinked, next: ShadowNodes.unlinked)

        var previous: Int32
        var next: Int32
    }

    /// A page's standing.
    struct Standing {
        /// The page's handle while it is in the cache; otherwise ``notHere`` or ``unused``.
        var handle = ShadowNodes.notHere
        var isRecent = false
        var lirs = LIRSShadow.State.unknown
        var s3fifo = S3FIFOShadow.State.unknown
        var s3fifoUses: UInt8 = 0
    }

    /// 64 bytes.
    fileprivate struct Node {
        /// One for each list that a page can be in at once.
        var links = (Link.none, Link.none, Link.none, Link.none, Link.none, Link.none, Link.none)
        var standing = Standing()
    }

    /// What a read does not ask for.
    struct Page {
        var hash: UInt64
        var weight: Int
    }

    /// Where nodes and pages lie until a page is added: what lists and policies work on, without counting references.
    struct Memory {
        fileprivate let nodes: UnsafeMutablePointer<Node>
        let pages: UnsafeMutablePointer<Page>

        fileprivate init(capacity: Int) {
            nodes = LargeMemory.allocate(Node.self, count: capacity)
            pages = LargeMemory.allocate(Page.self, count: capacity)
        }

        /// A page's standing with the cache and the policies.
        @inline(__always)
        subscript(page: Int) -> Standing {
            get { nodes[page].standing }
            nonmutating _modify { yield &nodes[page].standing }
        }

        /// A page's link at a place.
        @inline(__always)
        fileprivate func link(_ page: Int, _ place: Int) -> UnsafeMutablePointer<Link> {
            UnsafeMutableRawPointer(nodes + page).assumingMemoryBound(to: Link.self) + place
        }

        fileprivate func deallocate() {
            nodes.deallocate()
            pages.deallocate()
        }
    }

    static let unlinked = Int32(-2)
    /// Not in the cache.
    static let notHere = Int32(-1)
    /// Not in the cache, for another reason than that the leader would not have it.
    static let takenOut = Int32(-3)
    /// No page's number.
    static let unused = Int32(-2)

    private(set) var memory: Memory
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 16) {
        self.capacity = capacity
        memory = Memory(capacity: capacity)
    }

    deinit { memory.deallocate() }

    /// Returns the same in other memory.
    func copy() -> ShadowNodes {
        let copy = ShadowNodes(capacity: capacity)
        copy.memory.nodes.initialize(from: memory.nodes, count: count)
        copy.memory.pages.initialize(from: memory.pages, count: count)
        copy.count = count
        return copy
    }

    /// Adds a page that is in no list, and returns its number.
    func append(_ page: Page) -> Int {
        if count == capacity { grow() }
        (memory.pages + count).initialize(to: page)
        (memory.nodes + count).initialize(to: Node())
        count += 1
        return count - 1
    }

    /// Gives a number, which is not in use and in no list, to another page.
    func reuse(_ number: Int, for page: Page) {
        memory.pages[number] = page
        memory[number] = Standing()
    }

    private func grow() {
        let old = memory
        capacity *= 2
        memory = Memory(capacity: capacity)
        memory.nodes.moveInitialize(from: old.nodes, count: count)
        memory.pages.moveInitialize(from: old.pages, count: count)
        old.deallocate()
    }
}

/// A doubly linked list of pages, with the links in ``ShadowNodes``. Every call is O(1).
struct ShadowList: Sendable {
    private static let end = Int32(-1)

    /// Which of a page's links this list uses; lists of which a page is in at most one can share them.
    private let place: Int
    private var front = ShadowList.end
    private var back = ShadowList.end
    private(set) var count = 0

    init(place: Int) {
        self.place = place
    }

    /// The page at the front.
    @inline(__always)
    var first: Int? { front == Self.end ? nil : Int(front) }

    /// Returns the page behind a page of this list.
    func page(after page: Int, _ nodes: ShadowNodes.Memory) -> Int? {
        let next = nodes.link(page, place).pointee.next
        return next == Self.end ? nil : Int(next)
    }

    /// Whether the page is in this list, or in one that shares its links.
    @inline(__always)
    func contains(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool {
        nodes.link(page, place).pointee.next != ShadowNodes.unlinked
    }

    /// Puts a page at the back that is in no list with these links.
    @inline(__always)
    mutating func append(_ page: Int, _ nodes: ShadowNodes.Memory) {
        nodes.link(page, place).pointee = ShadowNodes.Link(previous: back, next: Self.end)
        if back == Self.end {
            front = Int32(page)
        } else {
            nodes.link(Int(back), place).pointee.next = Int32(page)
        }
        back = Int32(page)
        count += 1
    }

    /// Takes a page out that is in this list.
    @inline(__always)
    mutating func remove(_ page: Int, _ nodes: ShadowNodes.Memory) {
        let link = nodes.link(page, place).pointee
        if link.previous == Self.end {
            front = link.next
        } else {
            nodes.link(Int(link.previous), place).pointee.next = link.next
        }
        if link.next == Self.end {
            back = link.previous
        } else {
            nodes.link(Int(link.next), place).pointee.previous = link.previous
        }
        nodes.link(page, place).pointee.next = ShadowNodes.unlinked
        count -= 1
    }

    /// Moves a page of this list to the back.
    @inline(__always)
    mutating func moveToBack(_ page: Int, _ nodes: ShadowNodes.Memory) {
        guard back != page else { return }
        remove(page, nodes)
        append(page, nodes)
    }
}
