extension FetchMachine {
    /// One party that wants a page.
    package struct Waiter: Sendable {
        /// Who takes the outcome.
        enum Sink: Sendable {
            case ticket(FetchTicket)
            case around(UInt64, distance: Int)
            case prefetch(UInt64)
            case background
        }

        let sink: Sink
        let identity: PageIdentity
        let policy: FetchPolicy.Kind
        let priority: FetchPriority
        let startedAt: PaginatorInstant
        /// Since when the source must have been asked for the page; `nil` takes any.
        let notBefore: PaginatorInstant?
        /// Whether a ticket's page is loaded ahead.
        let isAhead: Bool
        var lane: ExactText?
        var load: UInt64?
        /// What a first look into memory gave, kept while the waiter debounces.
        var memory: CacheAnswer?
        /// Whether a stale page was shown already.
        var isPreviewed = false
        /// Whether a cached page is due now, in place of an answer that takes too long.
        var isFallbackDue = false
        /// Why the source cannot answer in time, while the error strategy is asked about it.
        var pendingError: PaginatorError?

        /// Whether nobody looks at the page yet.
        var isPrefetch: Bool {
            switch sink {
            case .ticket: isAhead
            case .background: false
            case .prefetch: true
            case .around(_, let distance): distance != 0
            }
        }

        /// Whether nobody is told how the page's load ends.
        var isUnawaited: Bool {
            if case .prefetch = sink { true } else { false }
        }

        /// Whether a load that fails with such an error is over for this waiter. What the conditions hold back ends for
        /// those who look ahead and are told so; without a connection, for all who are told.
        func ends(with code: PaginatorError.Code) -> Bool {
            switch code {
            case .heldBack: isPrefetch && !isUnawaited
            case .offline: !isUnawaited
            default: true
            }
        }

        /// Whether a cached page can become the answer, at once or as a fallback.
        var usesCache: Bool { policy != .networkOnly }

        /// Whether a fresh cached page is the answer.
        var isContentWithFreshCache: Bool { policy.isContentWithFreshCache }

        /// Whether a page out of a cache that is good otherwise is new enough.
        func takes(_ page: LoadedPage) -> Bool { policy == .cacheOnly || page.isAsNew(as: notBefore) }

        /// Whether the source may be asked.
        var usesSource: Bool { policy != .cacheOnly }

        /// Whether a cached page serves after a failure, whatever the error strategy says.
        var insistsOnFallback: Bool {
            switch policy {
            case .networkFirst, .staleWhileRevalidate: true
            case .cacheFirst, .cacheOnly, .networkOnly: false
            }
        }
    }

    /// How many waiters of a load want what; every change is O(1).
    struct Owners: Sendable {
        private var byPriority = (low: 0, medium: 0, high: 0)
        private(set) var total = 0
        private var prefetches = 0
        private var unawaited = 0
        private(set) var usingCache = 0
        private var usingSource = 0
        private var usingSourceAtOnce = 0

        mutating func add(_ waiter: Waiter) { count(waiter, 1) }

        mutating func remove(_ waiter: Waiter) { count(waiter, -1) }

        private mutating func count(_ waiter: Waiter, _ change: Int) {
            switch waiter.priority {
            case .low: byPriority.low += change
            case .medium: byPriority.medium += change
            case .high: byPriority.high += change
            }
            total += change
            if waiter.isPrefetch { prefetches += change }
            if waiter.isUnawaited { unawaited += change }
            if waiter.usesCache { usingCache += change }
            if waiter.usesSource { usingSource += change }
            if waiter.usesSource, !waiter.isContentWithFreshCache { usingSourceAtOnce += change }
        }

        var priority: FetchPriority {
            byPriority.high > 0 ? .high : byPriority.medium > 0 ? .medium : .low
        }

        var isPrefetch: Bool { prefetches == total }

        /// Whether a listener is told how the load ends, were it that of a fetch around another page.
        var isAwaited: Bool { unawaited < total }

        var hasUnawaited: Bool { unawaited > 0 }

        /// Whether a failure with such an error is the end for everybody; see ``Waiter/ends(with:)``.
        func allEnd(with code: PaginatorError.Code) -> Bool {
            switch code {
            case .heldBack: isPrefetch && unawaited == 0
            case .offline: unawaited == 0
            default: true
            }
        }

        /// Whether somebody wants the source, now or once the caches have been looked into.
        func wantSource(afterCache isCacheDone: Bool) -> Bool {
            usingSourceAtOnce > 0 || (isCacheDone && usingSource > 0)
        }

        var mayWantSource: Bool { usingSource > 0 }

        /// Whether somebody takes nothing but a cached page.
        var hasCacheOnly: Bool { usingSource < total }
    }

    /// Where a load stands with memory and the store.
    enum CacheStage: Sendable, Equatable {
        case unneeded
        case looking(UInt64)
        case reading(UInt64)
        case done
    }

    /// Where a load stands with the source. Every number is a task, but that of `deciding`.
    enum SourceStage: Sendable, Equatable {
        case unneeded
        /// Waits for the end of a suspension.
        case held
        /// The scheduler has it, ready or backing off.
        case queued(UInt64)
        case calling(UInt64)
        case judging(UInt64)
        /// The error strategy is asked.
        case deciding(UInt64)
        /// It failed, and the fallback is still being read.
        case failed
    }

    /// The one effort for a page and epoch.
    package struct Load: Sendable {
        let id: UInt64
        let identity: PageIdentity
        let startedAt: PaginatorInstant
        /// Whether no later epoch has begun, so that the page may be cached.
        var isCurrent = true
        /// In joining order; those that left stay until the array is compacted.
        var waiters: [UInt64] = []
        var owners = Owners()
        var cacheStage = CacheStage.unneeded
        var sourceStage = SourceStage.unneeded
        /// The cached page that can be a preview or a fallback.
        var candidate: LoadedPage?
        var attempts = 0
        /// When the source was asked last; unlike every other time of this kind.
        var askedAt = PaginatorInstant.zero
        var reloads = 0
        var attemptStartedAt = PaginatorInstant.zero
        var readStartedAt = PaginatorInstant.zero
        /// The page being judged, and since when.
        var judged: LoadedPage?
        var judgingSince = PaginatorInstant.zero
        var lastError: PaginatorError?
        /// The delay that the source stated with the last error.
        var statedDelay: Duration?
        /// Until when the source wants to be left alone, and what those are told who cannot wait for that.
        var pause: (end: PaginatorInstant, error: PaginatorError)?
        /// Whether the scheduler refused the last attempt, so that asking for another is no use.
        var wasRefused = false
        /// Whether what is held by a suspension is a further attempt, to be backed off.
        var isRetryHeld = false
        /// The waiter that keeps the load going for the caches alone.
        var background: UInt64?
        /// The failure that waits for the fallback to be read.
        var pendingFailure: (error: PaginatorError, servesCached: Bool)?
        var scheduled: (priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool) = (.low, false, false)
    }
}

extension FetchPolicy.Kind {
    /// Whether a fresh cached page is the answer.
    package var isContentWithFreshCache: Bool {
        switch self {
        case .cacheFirst, .cacheOnly, .staleWhileRevalidate: true
        case .networkOnly, .networkFirst: false
        }
    }
}
