/// An order in which pages are evicted when a limit is exceeded: LRU, FIFO, LIFO, LFU or adaptive. Every call is O(1);
/// unknown handles are ignored.
protocol EvictionOrder: PaginatorEvictionStrategy {
    /// The limits of the cache. Set before the first page is inserted.
    var limits: EvictionLimits { get set }

    /// Whether a new version of a page has the place of the earlier one: `inserted` is called for it again, without
    /// `removed` before.
    var keepsPlaces: Bool { get }

    /// Returns the first page to evict; the newest page is the last choice. Complexity: O(pages that must stay).
    mutating func first(where isEvictable: (PageHandle) -> Bool) -> PageHandle?

    mutating func victim(in usage: PageUsage, where isEvictable: (PageHandle) -> Bool) -> PageHandle?
}

extension EvictionOrder {
    var keepsPlaces: Bool { false }

    mutating func victim(in usage: PageUsage, where isEvictable: (PageHandle) -> Bool) -> PageHandle? {
        limits.areExceeded(by: usage) ? first(where: isEvictable) : nil
    }

    mutating func victim(in usage: PageUsage) -> PageHandle? { victim(in: usage) { _ in true } }

    func admits(_ facts: PageFacts) -> Bool { limits.admit(facts) }
}

/// The limits of a cache; `Int.max` is no limit.
struct EvictionLimits: Hashable, Sendable {
    let pages: Int
    let items: Int
    let bytes: Int

    static let none = EvictionLimits()

    init(pages: Int? = nil, items: Int? = nil, bytes: Int? = nil) {
        self.pages = max(0, pages ?? .max)
        self.items = max(0, items ?? .max)
        self.bytes = max(0, bytes ?? .max)
    }

    /// Whether a page must go: a limit is exceeded, or the usage is ``PageUsage/beyondLimits``.
    func areExceeded(by usage: PageUsage) -> Bool {
        usage.pages > pages || usage.items > items || usage.bytes > bytes || usage.pages == .max
    }

    func admit(_ facts: PageFacts) -> Bool { pages > 0 && facts.items <= items && facts.bytes <= bytes }

    func intersection(_ other: EvictionLimits) -> EvictionLimits {
        EvictionLimits(pages: min(pages, other.pages), items: min(items, other.items), bytes: min(bytes, other.bytes))
    }
}

struct QueueOrder: EvictionOrder {
    enum Kind: Sendable {
        case lru
        case fifo
        /// A new page replaces the one inserted before it, and a new version keeps the page's place.
        case lifo
    }

    let kind: Kind
    var limits = EvictionLimits.none
    private var pages = IndexList()
    // The page of which a new version came last, if no other page has come since.
    private var renewed: Int?

    init(_ kind: Kind, _ limits: EvictionLimits = .none) {
        self.kind = kind
        self.limits = limits
    }

    var keepsPlaces: Bool { kind == .lifo }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        renewed = keepsPlaces && pages.contains(page.index) ? page.index : nil
        if !keepsPlaces { pages.append(page.index) } else if renewed == nil { pages.prepend(page.index) }
    }

    mutating func used(_ page: PageHandle) {
        if kind == .lru { pages.moveToBack(page.index) }
    }

    mutating func removed(_ page: PageHandle) {
        pages.remove(page.index)
        if renewed == page.index { renewed = nil }
    }

    mutating func first(where isEvictable: (PageHandle) -> Bool) -> PageHandle? {
        let newest = keepsPlaces ? renewed ?? pages.first : nil
        let index = pages.first { $0 != newest && isEvictable(PageHandle(index: $0)) }
        return (index ?? newest).map(PageHandle.init(index:)).flatMap { isEvictable($0) ? $0 : nil }
    }
}
