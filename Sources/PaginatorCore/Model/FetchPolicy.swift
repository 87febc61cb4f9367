/// The policy that decides whether a fetch uses the caches or the source. Later versions may add policies.
///
/// Under ``staleWhileRevalidate`` a fetch may have a preview before its answer. Listeners, lists and the sequence of a
/// fetch's updates get both. Forms with one answer, such as `await`, closures and the sequence of pages, get only the
/// answer, and so wait for the source if the cached page is stale.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FetchPolicy: Sendable, Hashable {
    /// A fresh cached page, otherwise the source. A stale page is the fallback if the error strategy says so.
    case cacheFirst

    /// A cached page, fresh or stale, else the error ``PaginatorError/Code/notInCache``. The source is never called.
    case cacheOnly

    /// The source. No cached page is used, but the answer is cached.
    case networkOnly

    /// The source, with a cached page, fresh or stale, as fallback after a failure or after a duration; `nil` waits
    /// until the source fails. The load continues after the fallback and renews the cache, unless the page has been
    /// invalidated or cleared since. After first items of the new page an older one comes only if the source fails.
    case networkFirst(fallbackAfter: Duration?)

    /// A fresh cached page is the answer. A stale one is a preview while the source is called; the answer is the
    /// source's page, or the stale page with the refresh error.
    case staleWhileRevalidate

    /// A cached page is the answer at once, even if it has expired; it is then renewed for the next fetch. The answer
    /// never waits, like that of a server's cache. An invalidated page is known to be wrong: its renewal ends, and it
    /// is used only as a fallback after a failure.
    case cacheThenRenew

    /// The source, with a cached page, fresh or stale, as fallback after a failure.
    public static let networkFirst = FetchPolicy.networkFirst(fallbackAfter: nil)
}
