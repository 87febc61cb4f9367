/// What the memory cache holds of a page, whatever its item type.
package struct CachedEntry: Sendable {
    /// What is known of a page beside the page.
    package struct Details: Sendable {
        /// The page's costs.
        package let facts: PageFacts
        /// When the source was asked for it; its lifetime counts from here.
        package let fetchedAt: PaginatorInstant
        /// When it becomes stale; `nil` when it never does.
        package let expiresAt: PaginatorInstant?
        /// How many committed edits of the paginator's items it contains; see ``EditLog``.
        package var editMark: UInt64
        /// Whether it was marked stale.
        package var isInvalidated: Bool
        /// Whether it may stay when nobody looks at it.
        package let isStorable: Bool

        /// Whether it should be renewed before it is used.
        @inline(__always)
        func isStale(at now: PaginatorInstant) -> Bool {
            isInvalidated || expiresAt.map { $0 <= now } ?? false
        }
    }

    /// The page.
    package let value: any AnyObject & Sendable
    /// The rest.
    package let details: Details

    init(value: any AnyObject & Sendable, details: Details) {
        self.value = value
        self.details = details
    }

    /// Makes an entry.
    package init(
        value: any AnyObject & Sendable,
        facts: PageFacts,
        fetchedAt: PaginatorInstant,
        expiresAt: PaginatorInstant? = nil,
        isInvalidated: Bool = false,
        editMark: UInt64 = 0,
        isStorable: Bool = true
    ) {
        self.init(
            value: value,
            details: Details(
                facts: facts, fetchedAt: fetchedAt, expiresAt: expiresAt, editMark: editMark,
                isInvalidated: isInvalidated, isStorable: isStorable))
    }

    /// The same entry with an edited page; it counts for as much as before.
    package func edited(_ page: any AnyObject & Sendable, mark: UInt64) -> CachedEntry {
        var details = details
        details.editMark = mark
        return CachedEntry(value: page, details: details)
    }
}

/// A page that left the memory cache. It is released with this value, so never under a lock.
package struct RemovedPage: Sendable {
    /// Which page it was.
    package let identity: PageIdentity
    /// The page.
    package let value: any AnyObject & Sendable
    /// Why it left.
    package let cause: EvictionCause
}

/// The pages that one call removed, in order. One of them, the usual number, needs no allocation.
package struct RemovedPages: Sequence, Sendable {
    private var first: RemovedPage?
    private var others: [RemovedPage] = []

    /// Makes an empty sequence.
    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { first == nil }

    /// The number of pages.
    package var count: Int { first == nil ? 0 : others.count + 1 }

    package mutating func append(_ page: RemovedPage) {
        if first == nil { first = page } else { others.append(page) }
    }

    package mutating func append(contentsOf pages: RemovedPages) {
        if first == nil { self = pages } else { for page in pages { append(page) } }
    }

    /// Goes through the pages in order.
    package struct Iterator: IteratorProtocol {
        fileprivate var first: RemovedPage?
        fileprivate var others: IndexingIterator<[RemovedPage]>

        package mutating func next() -> RemovedPage? { first.take() ?? others.next() }
    }

    package func makeIterator() -> Iterator { Iterator(first: first, others: others.makeIterator()) }
}
