#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A page as a store has it.
public struct StoredPage<T: Sendable>: Sendable {
    /// The page.
    public let page: PaginatorPage<T>
    /// The wall-clock time at which the page was requested from the source. A store may round it to milliseconds.
    public let fetchedAt: Date
    /// Whether the page was invalidated.
    public let isInvalidated: Bool

    /// Creates a stored page.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - fetchedAt: the time at which the page was requested from the source.
    ///   - isInvalidated: whether it was invalidated.
    public init(page: PaginatorPage<T>, fetchedAt: Date, isInvalidated: Bool = false) {
        self.page = page
        self.fetchedAt = fetchedAt
        self.isInvalidated = isInvalidated
    }

    /// Returns the edited page; `nil` if the edit does not affect it.
    ///
    /// A page whose next key is a number becomes stale when it loses an item. Such keys are offsets or page numbers: the
    /// source's page has the item after it by now, which a list that is created after a launch would skip.
    ///
    /// Complexity: that of the edit.
    public func edited(by edit: PageEdit<T>) -> StoredPage? {
        guard let edited = edit(page) else { return nil }
        let isStale = isInvalidated || edited.hasLostItems(of: page.content.count)
        return StoredPage(page: edited, fetchedAt: fetchedAt, isInvalidated: isStale)
    }
}

extension PaginatorPage {
    // Whether it has fewer items than it came with, and its next key leads past the item that is at its end by now.
    func hasLostItems(of count: Int) -> Bool { content.count < count && nextKey.map { Int($0) != nil } ?? false }
}

/// A change of a store. A new case is a breaking change on purpose: a store that ignored it would keep wrong data.
public enum StoreChange<T: Sendable>: Sendable {
    /// Saves the page, in place of an earlier one with the same identity.
    case save(PageIdentity, StoredPage<T>)
    /// Removes the selected pages.
    case remove(PageSelection)
    /// Marks the selected pages stale. They stay readable.
    case invalidate(PageSelection)
    /// Marks pages with one of these ``PaginatorPage/tags`` stale, compared by bytes. They stay readable.
    case invalidateTags([String])
    /// Edits the selected pages, as ``StoredPage/edited(by:)`` does. Pages that the edit does not affect do not change.
    case edit(PageSelection, PageEdit<T>)
}

/// What a paginator offers its store.
public struct StoreEnvironment: Sendable {
    /// Which pages the store keeps; `nil` uses the store's own limits.
    public let evictionStrategy: EvictionStrategy?
    /// The source of time.
    public let clock: any PaginatorClock
    /// Reports events that belong to no call: ``PaginatorEvent/Kind/storeFailed`` with its error, for instance for a
    /// damaged page or file or a write that failed later; evicted pages; and the durations of writes and decoding.
    public let report: @Sendable (PaginatorEvent) -> Void
    package var user: (@Sendable () -> AnyObject?)?

    /// Creates an environment, for tests of stores; paginators make their own.
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
