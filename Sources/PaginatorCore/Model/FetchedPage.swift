#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The answer of every form of a fetch: a page, its origin and its age.
///
/// ```swift
/// let first = try await paginator.fetch(key: posts.firstKey, pageSize: 30)
/// show(first.content, isStale: first.isStale)
/// ```
public struct FetchedPage<T: Sendable>: Sendable {
    /// The page: the same object as in the cache.
    public let page: PaginatorPage<T>

    /// Where the page was found.
    public let origin: PageOrigin

    /// The time since the page was requested from the source; never negative. The page's data is no older.
    public let age: Duration

    /// Whether the page has expired, was invalidated, or replaces one that failed to load.
    public let isStale: Bool

    /// The error of the source, if this is a stale page that it failed to renew.
    public let refreshError: PaginatorError?

    /// Creates a fetched page, for test doubles; fetches make their own.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - origin: where it was found.
    ///   - age: the time since the source was asked for it.
    ///   - isStale: whether it should be renewed.
    ///   - refreshError: why it could not be renewed.
    public init(
        page: PaginatorPage<T>, origin: PageOrigin, age: Duration = .zero, isStale: Bool = false,
        refreshError: PaginatorError? = nil
    ) {
        self.page = page
        self.origin = origin
        self.age = age
        self.isStale = isStale
        self.refreshError = refreshError
    }
}

extension FetchedPage {
    /// The page's items, in the source's order.
    public var content: [T] { page.content }

    /// The key that the page was fetched by.
    public var key: String { page.key }

    /// The key of the page before this one; `nil` at the start.
    public var prevKey: String? { page.prevKey }

    /// The key of the page after this one; `nil` at the end.
    public var nextKey: String? { page.nextKey }

    /// Whether the page is a part of one; see ``PaginatorPage/continuation``.
    public var isPartial: Bool { page.continuation != nil }

    /// The wall-clock time from which the page is stale; `nil` when it never is.
    public var expirationTime: Date? { page.expirationTime }
}

extension FetchedPage: Equatable where T: Equatable {}

/// Where a page was found.
public enum PageOrigin: String, Sendable, CaseIterable {
    /// In the memory cache.
    case memory
    /// In the disk store.
    case store
    /// From the data source.
    case source
}
