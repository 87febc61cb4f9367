extension FetchMachine {
    struct Waiter: Sendable {
        enum Sink: Sendable {
            case ticket(FetchTicket)
            case around(UInt64, distance: Int)
            case prefetch(UInt64, following: PageFetchDirection?)
            case background
        }

        enum Stage: Sendable {
            /// It has not joined a load, and may be waiting for the end of a burst; with what its caller found in memory.
            case debouncing(ExactText, MemoryLook?)
            case waiting(load: UInt64)
            /// Its time is over, and the error strategy is asked whether a cached page takes the error's place.
            case deciding(load: UInt64, PaginatorError)
            case joining
        }

        let sink: Sink
        let identity: PageIdentity
        let policy: FetchPolicy
        let priority: FetchPriority
        let startedAt: PaginatorInstant
        /// Since when the source must have been asked for the page; `nil` takes any.
        let notBefore: PaginatorInstant?
        /// When the call began that it belongs to; `nil` for one page alone.
        let calledAt: PaginatorInstant?
        /// The last time of asking that was given out before it came.
        let cameAfter: PaginatorInstant
        let part: PagePart?
        let isAhead: Bool
        var conditions: PaginatorConditions = []
        var stage = Stage.joining
        var isPreviewed = false
        /// How many items of a part it has been shown.
        var shownItems = 0
        /// Whether a cached page is due now, in place of an answer that takes too long.
        var isFallbackDue = false

        var load: UInt64? {
            switch stage {
            case .waiting(let load), .deciding(let load, _): load
            case .debouncing, .joining: nil
            }
        }

        /// Whether nobody looks at the page yet.
        var isPrefetch: Bool {
            switch sink {
            case .ticket, .background: isAhead
            case .prefetch: true
            case .around(_, let distance): distance != 0
            }
        }

        /// Whether it waits for as long as conditions last.
        var isUnawaited: Bool {
            if case .prefetch = sink { true } else { false }
        }

        // Whether it came after something that the page on its way may lack. A renewal for nobody leaves it to who asks next.
        func wantsPage(newerThan time: PaginatorInstant) -> Bool {
            guard case .waiting = stage, policy.usesSource else { return false }
            if case .background = sink { return false }
            return cameAfter >= time
        }

        // Whether a load that fails with such an error is over for this waiter. What the conditions hold back ends for
        // those who look ahead and are told so; without a connection, for all who are told.
        func ends(with code: PaginatorError.Code) -> Bool {
            switch code {
            case .heldBack: isPrefetch && !isUnawaited
            case .offline: !isUnawaited
            default: true
            }
        }
    }

    /// How many waiters of a load want what; every change is O(1).
    struct Owners: Sendable {
        // Counted and not looked through: 10,000 callers of one page would cost 10,000 looks each.
        private var byPriority = (low: 0, medium: 0, high: 0)
        private(set) var total = 0
        private var ahead: [PaginatorConditions: Int] = [:]
        private var prefetches = 0
        private var unawaited = 0
        private(set) var usingCache = 0
        private var usingSource = 0
        private var usingSourceAtOnce = 0

        mutating func count(_ waiter: Waiter, _ change: Int) {
            switch waiter.priority {
            case .low: byPriority.low += change
            case .medium: byPriority.medium += change
            case .high: byPriority.high += change
            }
            total += change
            if waiter.isPrefetch {
                prefetches += change
                let others = ahead.removeValue(forKey: waiter.conditions) ?? 0
                if others + change > 0 { ahead[waiter.conditions] = others + change }
            }
            if waiter.isUnawaited { unawaited += change }
            if waiter.policy.usesCache { usingCache += change }
            if waiter.policy.usesSource { usingSource += change }
            // Cache-only is content with a fresh page, so all who are not want the source.
            if !waiter.policy.isContentWithFreshCache { usingSourceAtOnce += change }
        }

        // What the scheduler is told of them. One around whose page another is fetched waits for that, too.
        var demand: SchedulerDemand {
            SchedulerDemand(
                byPriority.high > 0 ? .high : byPriority.medium > 0 ? .medium : .low,
                ahead: isPrefetch ? Set(ahead.keys) : [], isAwaited: unawaited < total)
        }

        var isPrefetch: Bool { prefetches == total }

        var hasUnawaited: Bool { unawaited > 0 }

        func wantSource(afterCache isCacheDone: Bool) -> Bool {
            usingSourceAtOnce > 0 || (isCacheDone && usingSource > 0)
        }

        var mayWantSource: Bool { usingSource > 0 }

        var hasCacheOnly: Bool { usingSource < total }
    }

    enum CacheStage: Sendable {
        case unneeded
        case looking
        case reading(since: PaginatorInstant)
        case done

        var isDone: Bool {
            if case .done = self { true } else { false }
        }
    }

    enum SourceStage: Sendable {
        case unneeded
        /// It waits for the end of a suspension, in this order among others.
        case held(order: UInt64, Retry?)
        /// The scheduler has it, ready or backing off.
        case queued(Queued)
        case attempting(task: UInt64, since: PaginatorInstant)
        case judging(task: UInt64, LoadedPage, since: PaginatorInstant)
        // The error strategy is asked what follows an error; answers to other questions are ignored. After a refusal of the
        // scheduler another attempt is no use.
        case deciding(question: UInt64, PaginatorError, Retry, wasRefused: Bool)
        /// It failed, and the fallback is still being read.
        case failed(PaginatorError, servesCached: Bool)

        var task: UInt64? {
            switch self {
            case .queued(let queued): queued.task
            case .attempting(let task, _), .judging(let task, _, _): task
            case .unneeded, .held, .deciding, .failed: nil
            }
        }
    }

    struct Retry: Sendable {
        let statedDelay: Duration?
    }

    struct Queued: Sendable {
        let task: UInt64
        /// `nil` for a first attempt.
        let retry: Retry?
        /// Until when the source wants to be left alone, and what those are told who cannot wait for that.
        var pause: (end: PaginatorInstant, error: PaginatorError)?
    }

    /// An object, because most events change it in several places. It stays inside the machine, which cannot be copied.
    final class Load {
        let id: UInt64
        let identity: PageIdentity
        let startedAt: PaginatorInstant
        /// When the source was first wanted; `nil` while the caches may have the answer.
        var sourceWantedAt: PaginatorInstant?
        /// Whether no later epoch has begun, so that the page may be cached.
        var isCurrent = true
        /// In joining order; those that left stay until the array is compacted.
        var waiters: [UInt64] = []
        private(set) var owners = Owners()
        /// What the scheduler knows of them.
        var demand = SchedulerDemand(.low)
        /// The waiter that keeps the load going for the caches alone.
        var background: UInt64?
        var cache = CacheStage.unneeded
        var source = SourceStage.unneeded
        /// The cached page that can be a preview or a fallback.
        var candidate: LoadedPage?
        /// The beginning of the page, as far as it has come.
        var part: Part?
        /// What the last attempt went on from; `nil` where it asked for the page from its start.
        var base: LoadedPage?
        /// Whether a part of the page was given up, since the source could not go on from it. Once is enough.
        var hasBegunAnew = false
        var attempts = 0
        /// When the source was called the last time; unlike every other time of this kind.
        var askedAt: PaginatorInstant?
        /// When the call began that the source was called for; `nil` for one page alone.
        var calledAt: PaginatorInstant?
        /// What was invalidated since then, first when: nobody knows yet whether the page on its way has one of these tags.
        var invalidatedTags: [ExactText: PaginatorInstant] = [:]
        /// What was invalidated since a look into the caches began, for what it may give.
        var staleTags: Set<ExactText> = []
        var lastError: PaginatorError?
        /// Whether a validator has had a page of the load thrown away already.
        var hasReloaded = false

        init(id: UInt64, identity: PageIdentity, startedAt: PaginatorInstant) {
            self.id = id
            self.identity = identity
            self.startedAt = startedAt
        }

        // Changed as a whole: who only reads the owners, as most do, then need not be checked for exclusive access.
        func count(_ waiter: Waiter, _ change: Int) {
            var changed = owners
            changed.count(waiter, change)
            owners = changed
        }

        func invalidate(tags: Set<ExactText>, at time: PaginatorInstant) {
            candidate = candidate?.invalidated(by: tags)
            if let stale = part?.page.invalidated(by: tags) { part?.page = stale }
            // Only where something is on its way: thousands may wait for their turn, and will bring what is newer.
            switch cache {
            case .looking, .reading: staleTags.formUnion(tags)
            case .unneeded, .done: break
            }
            switch source {
            case .attempting, .judging:
                for tag in tags where invalidatedTags[tag] == nil { invalidatedTags[tag] = time }
            case .unneeded, .held, .queued, .deciding, .failed: break
            }
        }

        /// When one of the page's tags was invalidated first after the source was asked for it.
        func invalidation(of page: LoadedPage) -> PaginatorInstant? {
            if invalidatedTags.isEmpty { return nil }
            return page.details.tags.compactMap { invalidatedTags[ExactText($0)] }.min()
        }

        func refusal(
            _ code: PaginatorError.Code, _ text: String, because cause: (any Error)? = nil
        ) -> PaginatorError {
            PaginatorError(code, text, underlying: cause ?? lastError?.underlying, attempts: attempts)
        }
    }
}

extension FetchPolicy {
    var isContentWithFreshCache: Bool {
        switch self {
        case .cacheFirst, .cacheOnly, .cacheThenRenew, .staleWhileRevalidate: true
        case .networkOnly, .networkFirst: false
        }
    }

    var usesCache: Bool { self != .networkOnly }

    var usesSource: Bool { self != .cacheOnly }

    /// Whether a cached page serves after a failure, whatever the error strategy says.
    var insistsOnFallback: Bool {
        switch self {
        case .networkFirst, .cacheThenRenew, .staleWhileRevalidate: true
        case .cacheFirst, .cacheOnly, .networkOnly: false
        }
    }
}
