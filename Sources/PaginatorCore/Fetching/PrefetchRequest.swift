/// The pages to load before they are needed, the conditions under which they are loaded, and the limits.
///
/// ```swift
/// var request = PrefetchRequest(from: posts.firstKey, pages: 20, pageSize: 30)
/// request.allows = .background
/// request.requires = .charging
/// request.maxBytes = 5_000_000
/// request.timeout = .seconds(25)
/// ```
public struct PrefetchRequest: Sendable, Hashable {
    /// The keys of the first pages.
    var keys: [String]
    var page: PageRequest
    /// The maximum number of pages, and the direction of the walk; `nil` for no walk.
    let pages: Int
    let direction: PageFetchDirection?

    /// The conditions of ``PaginatorConditions/background``, ``PaginatorConditions/weakLink`` and
    /// ``PaginatorConditions/lowPower`` under which it also loads. By default there are none: it loads in the
    /// foreground, on a good link and with enough power. Other conditions are ignored.
    ///
    /// If the conditions change, running loads continue and the others wait.
    public var allows: PaginatorConditions = []

    /// The conditions of ``PaginatorConditions/charging`` and ``PaginatorConditions/idle`` that must hold for it to
    /// load, none by default. Other conditions are ignored.
    public var requires: PaginatorConditions = []

    /// The number of bytes from the source, by the pages' own count, after which no further load starts. `nil`, the
    /// default, is no limit. With zero or less nothing is loaded.
    public var maxBytes: Int?

    /// The time after which the prefetch ends, even while it waits for its conditions. `nil`, the default, is no limit.
    /// With zero or less it ends at once.
    public var timeout: Duration?

    /// Where its completion is called; if `noQueue`, it is not.
    package var completes = FetchTicket.Place.callbackQueue

    /// The conditions for the scheduler.
    var conditions: PaginatorConditions {
        allows.intersection(.loadLess).union(requires.intersection([.charging, .idle]))
    }

    /// Creates a request for the pages with the given keys.
    ///
    /// - Parameters:
    ///   - keys: the pages' keys.
    ///   - pageSize: the number of items per page. A list shows the pages only if it has this page size and scope.
    ///   - scope: separates pages with the same key, such as those of two users.
    ///   - priority: the priority of the loads. A prefetch never takes the last free slot.
    public init(keys: [String], pageSize: Int, scope: String = "", priority: FetchPriority = .low) {
        self.init(keys, pageSize, scope, priority, pages: .max, nil)
    }

    /// Creates a request for a walk: a page and those that follow it, each named by the page before.
    ///
    /// It ends at the last page, at a failure, or at a page that was already part of the walk.
    ///
    /// - Parameters:
    ///   - key: the first page's key.
    ///   - pages: the maximum number of pages, including fresh ones; with zero or less nothing is loaded.
    ///   - pageSize: the number of items per page. A list shows the pages only if it has this page size and scope.
    ///   - direction: the direction of the walk.
    ///   - scope: separates pages with the same key, such as those of two users.
    ///   - priority: the priority of the loads.
    public init(
        from key: String, pages: Int, pageSize: Int, direction: PageFetchDirection = .forward, scope: String = "",
        priority: FetchPriority = .low
    ) {
        self.init(pages > 0 ? [key] : [], pageSize, scope, priority, pages: pages, direction)
    }

    private init(
        _ keys: [String], _ pageSize: Int, _ scope: String, _ priority: FetchPriority, pages: Int,
        _ direction: PageFetchDirection?
    ) {
        self.keys = keys
        self.pages = pages
        self.direction = direction
        page = PageRequest(key: "", pageSize: pageSize, scope: scope, priority: priority, policy: .cacheFirst)
    }

    func page(_ key: String) -> PageRequest {
        var page = page
        page.key = key
        return page
    }
}

/// The result of a prefetch. Loaded pages are cached, unless their source forbids it.
public struct PrefetchSummary: Sendable, Equatable {
    /// The pages that were loaded from the source, in the order of arrival. A page whose tags were invalidated during
    /// its load is cached as stale.
    public internal(set) var loaded: [PageIdentity]

    /// The pages that were fresh in memory or on disk. A page that the validator wants renewed is loaded instead.
    public internal(set) var fresh: [PageIdentity]

    /// The errors of pages that failed. A page is also here if the key of its neighbor is invalid, or repeats an
    /// earlier one (``PaginatorError/Code/repeatedKey``).
    public internal(set) var failed: [PageIdentity: PaginatorError]

    /// The pages that were not loaded because the prefetch was cancelled or reached its time or byte limit, the pages
    /// were cleared, or too many prefetches were queued. For a walk, this is the page to continue with.
    public internal(set) var unfinished: [PageIdentity]

    /// Creates a summary, for example in a test double.
    public init(
        loaded: [PageIdentity] = [], fresh: [PageIdentity] = [], failed: [PageIdentity: PaginatorError] = [:],
        unfinished: [PageIdentity] = []
    ) {
        (self.loaded, self.fresh, self.failed, self.unfinished) = (loaded, fresh, failed, unfinished)
    }
}
