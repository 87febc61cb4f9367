/// Which pages to load though nobody waits for them yet, under which conditions, and how much at most.
///
/// ```swift
/// var request = PrefetchRequest(from: posts.firstKey, pages: 20, pageSize: 30)
/// request.allows = .background
/// request.requires = .charging
/// request.maxBytes = 5_000_000
/// request.timeout = .seconds(25)
/// ```
public struct PrefetchRequest: Sendable, Hashable {
    /// The pages to begin with.
    var keys: [String]
    var page: PageRequest
    /// How many pages at most, and which neighbors of theirs; `nil` for none.
    let pages: Int
    let direction: PageFetchDirection?

    /// Under which of ``PaginatorConditions/background``, ``PaginatorConditions/weakLink`` and
    /// ``PaginatorConditions/lowPower`` it may load as well; none by default: it loads in the foreground, on a good link and with
    /// enough power. Other conditions have no meaning here.
    ///
    /// What is being loaded when conditions change goes on; the rest waits.
    public var allows: PaginatorConditions = []

    /// Which of ``PaginatorConditions/charging`` and ``PaginatorConditions/idle`` must hold for it to load; none by default.
    /// Other conditions have no meaning here.
    public var requires: PaginatorConditions = []

    /// When so many bytes came from the source, by the pages' own count, nothing more is loaded but what is under way; `nil`,
    /// the default, for no such limit. With zero or less nothing is loaded.
    public var maxBytes: Int?

    /// After this time it ends, also while it waits for its conditions; `nil`, the default, waits for as long as they last.
    /// With zero or less it ends at once.
    public var timeout: Duration?

    package enum Place: Sendable { case callbackQueue, mainQueue, nowhere }

    /// Where its completion is called.
    package var completes = Place.callbackQueue

    /// What the scheduler is told.
    var conditions: PaginatorConditions {
        allows.intersection(.loadLess).union(requires.intersection([.charging, .idle]))
    }

    /// Asks for certain pages.
    ///
    /// - Parameters:
    ///   - keys: the pages' keys.
    ///   - pageSize: how many items to ask for, per page.
    ///   - scope: separates pages with the same key, such as those of two users.
    ///   - priority: how urgent the loads are. A prefetch never takes the last free slot.
    public init(keys: [String], pageSize: Int, scope: String = "", priority: FetchPriority = .low) {
        self.init(keys, pageSize, scope, priority, pages: .max, nil)
    }

    /// Asks for a page and those that follow it, each named by the one before: a walk.
    ///
    /// It ends at the last page, at one that fails, and at one that was there before.
    ///
    /// - Parameters:
    ///   - key: the first page's key.
    ///   - pages: how many pages in all, those included that are fresh already; with zero or less there is nothing to do.
    ///   - pageSize: how many items to ask for, per page.
    ///   - direction: where to go from the first page.
    ///   - scope: separates pages with the same key, such as those of two users.
    ///   - priority: how urgent the loads are.
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

/// What a prefetch has done. Pages that came are cached, unless their source says that caches may not keep them.
public struct PrefetchSummary: Sendable, Equatable {
    /// The pages that came from the source, in the order of their coming. One whose tags were invalidated on its way is
    /// cached as stale.
    public internal(set) var loaded: [PageIdentity]

    /// The pages that were fresh in memory or on disk. One that the validator wants renewed is none of them: it is loaded.
    public internal(set) var fresh: [PageIdentity]

    /// Why pages failed. A page is here, too, whose neighbor is a bad key, or with
    /// ``PaginatorError/Code/repeatedKey`` one that was there before.
    public internal(set) var failed: [PageIdentity: PaginatorError]

    /// The pages that were not loaded to the end because the prefetch was cancelled, its time was over or its bytes were
    /// spent, the pages were cleared, or too much waited: of a walk, the one to go on from.
    public internal(set) var unfinished: [PageIdentity]

    /// Makes a summary, such as a double of a paginator gives.
    public init(
        loaded: [PageIdentity] = [], fresh: [PageIdentity] = [], failed: [PageIdentity: PaginatorError] = [:],
        unfinished: [PageIdentity] = []
    ) {
        (self.loaded, self.fresh, self.failed, self.unfinished) = (loaded, fresh, failed, unfinished)
    }
}
