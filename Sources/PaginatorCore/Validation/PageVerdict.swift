/// A validator's verdict on a page. Later versions may add verdicts.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PageVerdict: Sendable, Hashable {
    /// The page is good.
    case accept

    /// The page may be used, and should be renewed. A fresh cached page is the answer while a load renews it; a fetched
    /// page is cached as stale. For a stale page it is the same as ``accept``: the policy of the fetch decides.
    case useButRefresh

    /// The page is removed from the caches and loaded again. A second such verdict in one load is a failure.
    case dropAndReload

    /// The fetch fails with ``PaginatorError/Code/rejectedByValidation``, and the page is not cached. The reason is a
    /// sentence for people, and part of the error's message. A cached page that is stale, or may be older than a list
    /// needs, is loaded again instead, and is no fallback.
    case fail(reason: String)

    // From good to bad: accept, use but refresh, drop and reload, fail; the first of two that are equally bad.
    func orWorse(_ other: PageVerdict) -> PageVerdict { other.severity > severity ? other : self }

    var isWorst: Bool { severity == 3 }

    private var severity: Int {
        switch self {
        case .accept: 0
        case .useButRefresh: 1
        case .dropAndReload: 2
        case .fail: 3
        }
    }
}
