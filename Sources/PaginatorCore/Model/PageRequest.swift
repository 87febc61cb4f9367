/// A request for a page.
///
/// ```swift
/// var request = PageRequest(key: "", pageSize: 30)
/// request.policy = .staleWhileRevalidate
/// ```
public struct PageRequest: Sendable, Hashable {
    private var exactKey: ExactText
    private var exactScope: ExactText

    /// The page's key; see ``PageIdentity/key``.
    public var key: String {
        get { exactKey.text }
        set { exactKey = ExactText(newValue) }
    }

    /// The number of items to request, from 1 to ``PaginatorConfig/maxPageSize``.
    public var pageSize: Int

    /// Distinguishes equal keys of different filters, sort orders, searches or users.
    public var scope: String {
        get { exactScope.text }
        set { exactScope = ExactText(newValue) }
    }

    /// The load's priority; ``FetchPriority/medium`` by default.
    public var priority: FetchPriority

    /// Where to take the page from; `nil`, the default, uses ``PaginatorConfig/defaultPolicy``.
    public var policy: FetchPolicy?

    /// The time to wait for an answer; `nil`, the default, uses ``PaginatorConfig/fetchTimeout``.
    public var timeout: Duration?

    /// The debounce key; `nil`, the default, does not debounce.
    public var debounce: DebounceKey?

    /// How much of the page is enough; `nil`, the default, for all of it.
    ///
    /// The answer is the whole page, or a part of at least this size, which has a ``PaginatorPage/continuation``.
    /// Caches join the parts of a page, so a later fetch of all of it only loads the rest. Fetches around a page load
    /// whole pages.
    public var part: PagePart?

    /// Whether no caller looks at the page yet, so that it leaves the last free slot to others.
    package var isAhead = false

    /// The demand: the time after which the page must have been requested from the source; an older cached page counts
    /// as stale. `nil` accepts any page.
    package var notBefore: PaginatorInstant?

    /// The start of the call that requests this page with others; `nil` for a single page.
    package var calledAt: PaginatorInstant?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - key: the page's key, not empty.
    ///   - pageSize: the number of items to request, at least 1.
    ///   - scope: distinguishes pages with the same key, such as those of two users; empty by default.
    ///   - priority: the load's priority.
    ///   - policy: where to take the page from; `nil` uses the configuration.
    ///   - timeout: the time to wait for an answer; `nil` uses the configuration.
    ///   - debounce: the debounce key; `nil`, the default, does not debounce.
    ///   - part: how much of the page is enough; `nil`, the default, for all of it.
    public init(
        key: String, pageSize: Int, scope: String = "", priority: FetchPriority = .medium, policy: FetchPolicy? = nil,
        timeout: Duration? = nil, debounce: DebounceKey? = nil, part: PagePart? = nil
    ) {
        exactKey = ExactText(key)
        self.pageSize = pageSize
        exactScope = ExactText(scope)
        self.priority = priority
        self.policy = policy
        self.timeout = timeout
        self.debounce = debounce
        self.part = part
    }

    /// The identity of the requested page.
    public var identity: PageIdentity { PageIdentity(key: key, pageSize: pageSize, scope: scope) }
}

/// A request for a page and its neighbors.
public struct AroundRequest: Sendable, Hashable {
    /// The requested page. Its policy, scope and timeout apply to its neighbors, too. Its debounce key delays the
    /// whole fetch, also if the page is in memory, because its neighbors may need the source.
    public var page: PageRequest

    /// The number of pages to load on each side, from 0 to ``PaginatorConfig/maxDepthLevel``.
    public var depthLevel: Int

    /// The sides to load; both by default.
    public var direction: PageFetchDirection

    /// The neighbors' priority; ``FetchPriority/low`` by default.
    public var aroundPriority: FetchPriority

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - page: the requested page.
    ///   - depthLevel: the number of pages to load on each side, at least 0.
    ///   - direction: the sides to load.
    ///   - aroundPriority: the neighbors' priority.
    public init(
        page: PageRequest, depthLevel: Int, direction: PageFetchDirection = .all, aroundPriority: FetchPriority = .low
    ) {
        self.page = page
        self.depthLevel = depthLevel
        self.direction = direction
        self.aroundPriority = aroundPriority
    }
}
