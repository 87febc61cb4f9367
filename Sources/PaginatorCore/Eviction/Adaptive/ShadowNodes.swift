/// What the adaptive order knows of each page that it watches, in memory of its own; pages are numbers from 0.
///
/// A page's links for all lists lie on one cache line. The value that owns this copies it before it changes a shared
/// one, so that a strategy stays a value.
///
/// `@unchecked Sendable`: it is changed only through a value that has made sure that it holds the only reference, and
/// such a value is changed under its cache's lock.
final class ShadowNodes: @unchecked Sendable {
    /// The lists that a page can be in at once.
    static let listCount = 8
    static let unlinked = Int32(-2)

    struct Link {
        var previous: Int32
        var next: Int32
    }

    struct Page {
        var hash: UInt64
        var weight: Int
        /// The page's handle while it is in the cache; otherwise ``notHere`` or ``unused``.
        var handle: Int32
        var lirs = LIRSShadow.State.unknown
        var s3fifo = S3FIFOShadow.State.unknown
        var s3fifoUses: UInt8 = 0
    }

    /// Where links and pages lie until a page is added: what lists and policies work on, without counting references.
    struct Memory {
        let links: UnsafeMutablePointer<Link>
        let pages: UnsafeMutablePointer<Page>

        fileprivate init(capacity: Int) {
            links = LargeMemory.allocate(Link.self, count: capacity * ShadowNodes.listCount)
            pages = LargeMemory.allocate(Page.self, count: capacity)
        }
    }

    static let notHere = Int32(-1)
    static let unused = Int32(-2)

    private(set) var memory: Memory
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 16) {
        self.capacity = capacity
        memory = Memory(capacity: capacity)
    }

    deinit {
        memory.links.deallocate()
        memory.pages.deallocate()
    }

    /// Returns the same in other memory.
    func copy() -> ShadowNodes {
        let copy = ShadowNodes(capacity: capacity)
        copy.memory.links.initialize(from: memory.links, count: count * Self.listCount)
        copy.memory.pages.initialize(from: memory.pages, count: count)
        copy.count = count
        return copy
    }

    /// Adds a page that is in no list, and returns its number.
    func append(_ page: Page) -> Int {
        if count == capacity { grow() }
        (memory.pages + count).initialize(to: page)
        (memory.links + count * Self.listCount).initialize(
            repeating: Link(previous: Self.unlinked, next: Self.unlinked), count: Self.listCount)
        count += 1
        return count - 1
    }

    private func grow() {
        let old = memory
        capacity *= 2
        memory = Memory(capacity: capacity)
        memory.links.moveInitialize(from: old.links, count: count * Self.listCount)
        memory.pages.moveInitialize(from: old.pages, count: count)
        old.links.deallocate()
        old.pages.deallocate()
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
        let next = nodes.links[page * ShadowNodes.listCount + place].next
        return next == Self.end ? nil : Int(next)
    }

    /// Whether the page is in this list, or in one that shares its links.
    @inline(__always)
    func contains(_ page: Int, _ nodes: ShadowNodes.Memory) -> Bool {
        nodes.links[page * ShadowNodes.listCount + place].next != ShadowNodes.unlinked
    }

    /// Puts a page at the back that is in no list with these links.
    @inline(__always)
    mutating func append(_ page: Int, _ nodes: ShadowNodes.Memory) {
        let links = nodes.links + place
        links[page * ShadowNodes.listCount] = ShadowNodes.Link(previous: back, next: Self.end)
        if back == Self.end {
            front = Int32(page)
        } else {
            links[Int(back) * ShadowNodes.listCount].next = Int32(page)
        }
        back = Int32(page)
        count += 1
    }

    /// Takes a page out that is in this list.
    @inline(__always)
    mutating func remove(_ page: Int, _ nodes: ShadowNodes.Memory) {
        let links = nodes.links + place
        let link = links[page * ShadowNodes.listCount]
        if link.previous == Self.end {
            front = link.next
        } else {
            links[Int(link.previous) * ShadowNodes.listCount].next = link.next
        }
        if link.next == Self.end {
            back = link.previous
        } else {
            links[Int(link.next) * ShadowNodes.listCount].previous = link.previous
        }
        links[page * ShadowNodes.listCount].next = ShadowNodes.unlinked
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
