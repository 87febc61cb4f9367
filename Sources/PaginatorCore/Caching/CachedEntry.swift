/// What the memory cache holds of a page, whatever its item type.
struct CachedEntry: Sendable {
    /// What is known of a page beside the page.
    struct Details: Sendable {
        /// The page's costs.
        let facts: PageFacts
        /// When the source was asked for it; its lifetime counts from here.
        let fetchedAt: PaginatorInstant
        /// When it becomes stale; `nil` when it never does.
        let expiresAt: PaginatorInstant?
        /// How many committed edits of the paginator's items it contains; see ``EditLog``.
        var editCount: UInt64
        /// Whether it was invalidated.
        var isInvalidated: Bool
        /// Whether it may stay when nobody looks at it.
        let isStorable: Bool

        /// Whether it should be renewed before it is used.
        func isStale(at now: PaginatorInstant) -> Bool {
            isInvalidated || expiresAt.map { $0 <= now } ?? false
        }
    }

    /// The page.
    let value: any AnyObject & Sendable
    /// The rest.
    let details: Details
}

extension CachedEntry {
    /// Makes what memory holds of an object of which little is known.
    init(value: any AnyObject & Sendable, facts: PageFacts, fetchedAt: PaginatorInstant) {
        self.init(
            value: value,
            details: Details(
                facts: facts, fetchedAt: fetchedAt, expiresAt: nil, editCount: 0, isInvalidated: false, isStorable: true
            )
        )
    }

    /// Makes what memory holds of a page.
    init(_ page: LoadedPage) {
        self.init(
            value: page.object,
            details: Details(
                facts: page.facts, fetchedAt: page.fetchedAt, expiresAt: page.expiresAt, editCount: page.editCount,
                isInvalidated: page.isInvalidated, isStorable: page.isStorable))
    }
}

extension LoadedPage {
    /// Makes the page that memory holds.
    init(_ entry: CachedEntry, neighbors: NeighborKeys) {
        self.init(
            object: entry.value, facts: entry.details.facts, neighbors: neighbors, origin: .memory,
            fetchedAt: entry.details.fetchedAt, expiresAt: entry.details.expiresAt,
            isInvalidated: entry.details.isInvalidated, editCount: entry.details.editCount,
            isStorable: entry.details.isStorable)
    }
}

/// A page that left the memory cache. It is released with this value, so never under a lock.
struct RemovedPage: Sendable {
    /// Which page it was.
    let identity: PageIdentity
    /// The page.
    let value: any AnyObject & Sendable
    /// Why it left.
    let cause: EvictionCause
}

/// The pages that one call removed, in order. One of them, the usual number, needs no allocation.
struct RemovedPages: Sequence, Sendable {
    private var first: RemovedPage?
    private var others: [RemovedPage] = []

    /// Makes an empty sequence.
    init() {}

    /// Whether there are none.
    var isEmpty: Bool { first == nil }

    mutating func append(_ page: RemovedPage) {
        if first == nil { first = page } else { others.append(page) }
    }

    mutating func append(contentsOf pages: RemovedPages) {
        for page in pages { append(page) }
    }

    struct Iterator: IteratorProtocol {
        fileprivate var first: RemovedPage?
        fileprivate var others: IndexingIterator<[RemovedPage]>

        mutating func next() -> RemovedPage? { first.take() ?? others.next() }
    }

    func makeIterator() -> Iterator { Iterator(first: first, others: others.makeIterator()) }
}
