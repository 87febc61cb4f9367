#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A page as a store keeps it.
public struct StoredPage<T: Sendable>: Sendable {
    /// The page.
    public let page: PaginatorPage<T>
    /// The wall-clock time at which the source gave the page.
    public let fetchedAt: Date
    /// Whether the page was marked stale before its expiration time.
    public let isInvalidated: Bool

    /// Makes a stored page.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - fetchedAt: when the source gave it.
    ///   - isInvalidated: whether it was marked stale.
    public init(page: PaginatorPage<T>, fetchedAt: Date, isInvalidated: Bool = false) {
        self.page = page
        self.fetchedAt = fetchedAt
        self.isInvalidated = isInvalidated
    }
}

/// One change of a store. A new case is a breaking change on purpose: a store that ignored it would keep wrong data.
public enum StoreChange<T: Sendable>: Sendable {
    /// Stores the page, in place of an earlier one of the same identity.
    case save(PageIdentity, StoredPage<T>)
    /// Removes the pages that match.
    case remove(PageSelection)
    /// Marks the pages that match stale; they stay readable.
    case invalidate(PageSelection)
    /// Marks the pages stale that have one of these ``PaginatorPage/tags``, byte by byte; they stay readable.
    case invalidateTags([String])
    /// Changes the pages that match; those that the edit does not concern stay as they are.
    case edit(PageSelection, PageEdit<T>)
}

/// What a paginator offers the store that is attached to it.
public struct StoreEnvironment: Sendable {
    /// Which pages the store keeps; `nil` leaves the store's own limits.
    public let evictionStrategy: EvictionStrategy?
    /// Where the store takes the time from.
    public let clock: any PaginatorClock
    /// Takes what belongs to no call: ``PaginatorEvent/Kind/storeFailed`` with its error, as of a damaged page or file and of
    /// a write that failed later; pages that were evicted; and how long writing and decoding took.
    public let report: @Sendable (PaginatorEvent) -> Void
    package var user: (@Sendable () -> AnyObject?)?

    /// Makes an environment, for tests of stores; paginators make their own.
    public init(
        evictionStrategy: EvictionStrategy? = nil,
        clock: any PaginatorClock = SystemPaginatorClock(),
        report: @escaping @Sendable (PaginatorEvent) -> Void = { _ in }
    ) {
        self.evictionStrategy = evictionStrategy
        self.clock = clock
        self.report = report
    }
}
