/// What a fetch asks for.
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

    /// How many items to ask for, from 1 to the configured maximum.
    public var pageSize: Int

    /// Separates the same keys under another filter, sort order, search or user.
    public var scope: String {
        get { exactScope.text }
        set { exactScope = ExactText(newValue) }
    }

    /// How urgent the load is, ``FetchPriority/medium`` by default.
    public var priority: FetchPriority

    /// Where to take the page from; `nil`, the default, follows ``PaginatorConfig/defaultPolicy``.
    public var policy: FetchPolicy?

    /// How long the caller waits for an answer; `nil`, the default, follows ``PaginatorConfig/fetchTimeout``.
    public var timeout: Duration?

    /// The key by which the fetch is debounced; `nil`, the default, for not at all.
    public var debounce: DebounceKey?

    /// How much of the page is enough; `nil`, the default, for all of it.
    ///
    /// The answer is then the whole page, or a part of it that says so by ``PaginatorPage/continuation``: at least as much
    /// as is asked for. Caches join the parts of a page, so that a later fetch of all of it loads the rest only. Fetches
    /// around a page load whole pages.
    public var part: PagePart?

    /// Whether the page is loaded ahead of anybody who looks at it, so that it leaves the last free slot to others.
    package var isPrefetch = false

    /// Since when the source must have been asked for the page; an older one in a cache counts as stale. `nil` takes any.
    package var notBefore: PaginatorInstant?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - key: the page's key, not empty.
    ///   - pageSize: how many items to ask for, at least 1.
    ///   - scope: separates pages with the same key, such as those of two users; empty by default.
    ///   - priority: how urgent the load is.
    ///   - policy: where to take the page from; `nil` follows the configuration.
    ///   - timeout: how long the caller waits; `nil` follows the configuration.
    ///   - debounce: the key by which the fetch is debounced; `nil`, the default, for not at all.
    ///   - part: how much of the page is enough; `nil`, the default, for all of it.
    public init(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil,
        timeout: Duration? = nil,
        debounce: DebounceKey? = nil,
        part: PagePart? = nil
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

    /// The identity of the page that is asked for.
    public var identity: PageIdentity { PageIdentity(key: key, pageSize: pageSize, scope: scope) }
}

/// What a fetch around a page asks for: the page and how far to go from it.
public struct AroundRequest: Sendable, Hashable {
    /// The page in the middle. Its policy, scope and time-out are those of its neighbors too. Its debounce key holds the
    /// whole fetch back, also where the page is in memory, since its neighbors may need the source.
    public var page: PageRequest

    /// How many pages to load on each side, from 0 to the configured maximum.
    public var depthLevel: Int

    /// Which sides to load, both by default.
    public var direction: PageFetchDirection

    /// How urgent the neighbors are, ``FetchPriority/low`` by default.
    public var aroundPriority: FetchPriority

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - page: the page in the middle.
    ///   - depthLevel: how many pages to load on each side, at least 0.
    ///   - direction: which sides to load.
    ///   - aroundPriority: how urgent the neighbors are.
    public init(
        page: PageRequest,
        depthLevel: Int,
        direction: PageFetchDirection = .all,
        aroundPriority: FetchPriority = .low
    ) {
        self.page = page
        self.depthLevel = depthLevel
        self.direction = direction
        self.aroundPriority = aroundPriority
    }
}
