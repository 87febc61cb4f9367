/// Where a fetch takes its page from: one setting for a configuration, a list, and every form of a fetch; later versions
/// may add policies.
///
/// Under ``staleWhileRevalidate`` a fetch may have a preview before its answer. Listeners, lists and the sequence of a
/// fetch's updates take both. Forms with one answer, such as `await`, closures and the sequence of pages, give the answer
/// alone, and so wait for the source where the cached page is stale.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FetchPolicy: Sendable, Hashable {
    /// A fresh cached page, else the source; a stale page serves as fallback where the error strategy says so.
    case cacheFirst

    /// A cached page, fresh or stale, else the error ``PaginatorError/Code/notInCache``; the source is never asked.
    case cacheOnly

    /// The source; no cached page is used. The answer is cached.
    case networkOnly

    /// The source, with a cached page, fresh or stale, as fallback after a failure or after some time: how long to wait for
    /// the source while there is a cached page; `nil` waits until it fails. The load goes on after the fallback, so that
    /// the cache is renewed.
    case networkFirst(fallbackAfter: Duration?)

    /// A fresh cached page is the answer. A stale one comes as a preview while the source is asked; the answer is then
    /// the source's page, or the stale page with the refresh error.
    case staleWhileRevalidate

    /// A cached page is the answer at once, even if it has expired; an expired page is then reloaded for the next fetch. For
    /// callers that have one answer and must not wait, such as servers. A page that was invalidated is known to be wrong: it
    /// only serves as fallback after a failure.
    case cacheThenRenew

    /// The source, with a cached page, fresh or stale, as fallback after a failure.
    public static let networkFirst = FetchPolicy.networkFirst(fallbackAfter: nil)
}
