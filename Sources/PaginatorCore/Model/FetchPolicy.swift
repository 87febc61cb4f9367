/// Where a fetch takes its page from: the caches or the source. Later versions may add policies.
///
/// Under ``staleWhileRevalidate`` a fetch may have a preview before its answer. Listeners, lists and the sequence of a
/// fetch's updates get both. Forms with one answer, such as `await`, closures and the sequence of pages, only get the
/// answer, and so wait for the source if the cached page is stale.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FetchPolicy: Sendable, Hashable {
    /// A fresh cached page, else the source. A stale page is the fallback if the error strategy says so.
    case cacheFirst

    /// A cached page, fresh or stale, else the error ``PaginatorError/Code/notInCache``. The source is never asked.
    case cacheOnly

    /// The source. No cached page is used, but the answer is cached.
    case networkOnly

    /// The source, with a cached page, fresh or stale, as fallback after a failure or after a duration; `nil` waits
    /// until the source fails. The load continues after the fallback and renews the cache.
    case networkFirst(fallbackAfter: Duration?)

    /// A fresh cached page is the answer. A stale one is a preview while the source is asked; the answer is the
    /// source's page, or the stale page with the refresh error.
    case staleWhileRevalidate

    /// A cached page is the answer at once, even an expired one, which is then renewed for the next fetch: an answer
    /// that never waits, such as a server's. An invalidated page is known to be wrong, and only serves as fallback
    /// after a failure.
    case cacheThenRenew

    /// The source, with a cached page, fresh or stale, as fallback after a failure.
    public static let networkFirst = FetchPolicy.networkFirst(fallbackAfter: nil)
}
