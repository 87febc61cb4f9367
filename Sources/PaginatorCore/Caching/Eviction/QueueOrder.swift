/// The orders that are a queue: LRU, FIFO and LIFO.
struct QueueOrder: EvictionOrder {
    /// What makes a page wait longer.
    enum Kind: Sendable {
        /// Least recently used first.
        case lru
        /// The oldest page first, however often it is used.
        case fifo
        /// The page that came last before the newest one goes, so the newest takes its place.
        case lifo
    }

    var limits: EvictionLimits
    private let kind: Kind
    private var pages = HandleList()

    /// Makes an empty order.
    init(_ kind: Kind, _ limits: EvictionLimits = .none) {
        self.kind = kind
        self.limits = limits
    }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { pages.append(page) }

    mutating func used(_ page: PageHandle) {
        if kind == .lru { pages.moveToBack(page) }
    }

    mutating func removed(_ page: PageHandle) { pages.remove(page) }

    mutating func first(where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        guard kind == .lifo else { return pages.first(where: mayGo) }
        guard let newest = pages.last else { return nil }
        var candidate = pages.page(before: newest)
        while let page = candidate {
            if mayGo(page) { return page }
            candidate = pages.page(before: page)
        }
        return mayGo(newest) ? newest : nil
    }
}
