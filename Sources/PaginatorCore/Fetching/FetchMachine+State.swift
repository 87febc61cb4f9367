extension FetchMachine {
    struct Waiter: Sendable {
        enum Sink: Sendable {
            case ticket(FetchTicket, isAhead: Bool)
            case around(FetchTicket, distance: Int)
            case prefetch(UInt64, following: PageFetchDirection?, PaginatorConditions)
            case background(isAhead: Bool)
        }

        enum Stage: Sendable {
            /// Has not joined a load: waits for the end of a debounce interval. Holds the memory lookup of its caller.
            case debouncing(ExactText, MemoryLookup?)
            case waiting(load: UInt64)
            /// Its deadline has passed, and the error strategy decides whether a cached page replaces the error.
            case deciding(load: UInt64, PaginatorError)
            case joining
        }

        /// What the caller has been shown before the answer.
        enum Shown: Sendable {
            /// The number of items of a part; 0 for nothing.
            case items(Int)
            /// An older page, which it keeps until its answer.
            case page
        }

        let sink: Sink
        let identity: PageIdentity
        let policy: FetchPolicy
        let priority: FetchPriority
        let startedAt: PaginatorInstant
        /// The time after which the page must have been requested from the source; `nil` accepts any page.
        let notBefore: PaginatorInstant?
        /// The start of the call that it belongs to; `nil` for a single page.
        let calledAt: PaginatorInstant?
        /// The latest request time that existed when it was added.
        let addedAfter: PaginatorInstant
        let part: PagePart?
        var stage = Stage.joining
        var shown = Shown.items(0)
        /// Whether the source has exceeded its time, so that a cached page is the answer.
        var isFallbackAllowed = false

        var load: UInt64? {
            switch stage {
            case .waiting(let load), .deciding(let load, _): load
            case .debouncing, .joining: nil
            }
        }

        /// Whether no caller looks at the page yet.
        var isAhead: Bool {
            switch sink {
            case .ticket(_, let isAhead), .background(let isAhead): isAhead
            case .prefetch: true
            case .around(_, let distance): distance != 0
            }
        }

        /// Whether it belongs to a prefetch: it waits while conditions hold it back, without a timeout while queued.
        var isOfPrefetch: Bool {
            if case .prefetch = sink { true } else { false }
        }

        /// Whether it keeps its load running for the caches alone.
        var isBackground: Bool {
            if case .background = sink { true } else { false }
        }

        /// The conditions of the prefetch that it belongs to.
        var conditions: PaginatorConditions {
            if case .prefetch(_, _, let conditions) = sink { conditions } else { [] }
        }

        // Whether it joined after a change that the page on its way may lack. A background renewal accepts any page.
        func needsPage(newerThan time: PaginatorInstant) -> Bool {
            guard case .waiting = stage, policy.usesSource, !isBackground else { return false }
            return addedAfter >= time
        }

        // Whether an error of its load ends this waiter. `heldBack` ends only waiters that load ahead and report
        // errors, such as neighbors; `offline` ends all but those of a prefetch, which wait.
        func ends(with code: PaginatorError.Code) -> Bool {
            switch code {
            case .heldBack: isAhead && !isOfPrefetch
            case .offline: !isOfPrefetch
            default: true
            }
        }
    }

    /// The number of a load's waiters by what they want; each change is O(1).
    struct Owners: Sendable {
        // Counters instead of a search: with 10,000 callers of one page, each search would visit all of them.
        private var byPriority = (medium: 0, high: 0)
        private(set) var total = 0
        private var ahead = 0
        private var aheadByConditions: [PaginatorConditions: Int] = [:]
        private var ofPrefetches = 0
        private(set) var usingCache = 0
        private var usingSource = 0
        private var usingSourceAtOnce = 0
        /// Whether the source, or the part of it that is missing, needs a connection.
        var needsConnection = true

        mutating func count(_ waiter: Waiter, _ change: Int) {
            switch waiter.priority {
            case .low: break
            case .medium: byPriority.medium += change
            case .high: byPriority.high += change
            }
            total += change
            if waiter.isAhead {
                ahead += change
                let others = aheadByConditions.removeValue(forKey: waiter.conditions) ?? 0
                if others + change > 0 { aheadByConditions[waiter.conditions] = others + change }
            }
            if waiter.isOfPrefetch { ofPrefetches += change }
            if waiter.policy.usesCache { usingCache += change }
            if waiter.policy.usesSource { usingSource += change }
            // Every policy that a fresh cached page does not satisfy needs the source at once.
            if !waiter.policy.isContentWithFreshCache { usingSourceAtOnce += change }
        }

        // What the scheduler is told about the waiters. A fetch around a page waits for its neighbors, too.
        var demand: SchedulerDemand {
            SchedulerDemand(
                priority: byPriority.high > 0 ? .high : byPriority.medium > 0 ? .medium : .low,
                wanted: isAhead ? .ahead(Set(aheadByConditions.keys), mayWait: ofPrefetches == total) : .byCaller,
                needsConnection: needsConnection)
        }

        var isAhead: Bool { ahead == total }

        var hasAhead: Bool { ahead > 0 }

        var hasPrefetches: Bool { ofPrefetches > 0 }

        func wantSource(afterCache isCacheDone: Bool) -> Bool {
            usingSourceAtOnce > 0 || (isCacheDone && usingSource > 0)
        }

        var mayWantSource: Bool { usingSource > 0 }

        var hasCacheOnly: Bool { usingSource < total }
    }

    enum CacheStage: Sendable {
        case unneeded
        /// `invalidated` are the tags that were invalidated since the lookup began; they apply to its result.
        case looking(invalidated: Set<ExactText> = [])
        case reading(since: PaginatorInstant, invalidated: Set<ExactText>)
        case done

        var isDone: Bool { if case .done = self { true } else { false } }

        var isRunning: Bool {
            switch self {
            case .looking, .reading: true
            case .unneeded, .done: false
            }
        }

        var invalidatedTags: Set<ExactText> {
            switch self {
            case .looking(let tags), .reading(_, let tags): tags
            case .unneeded, .done: []
            }
        }

        mutating func invalidate(_ tags: Set<ExactText>) {
            switch self {
            case .looking(let known): self = .looking(invalidated: known.union(tags))
            case .reading(let since, let known): self = .reading(since: since, invalidated: known.union(tags))
            case .unneeded, .done: break
            }
        }
    }

    enum SourceStage: Sendable {
        case unneeded
        /// Waits for the end of a suspension, in this order.
        case held(order: UInt64, Retry?)
        /// Is in the scheduler, ready or backing off.
        case queued(Queued)
        case attempting(task: UInt64, since: PaginatorInstant)
        case judging(task: UInt64, LoadedPage, since: PaginatorInstant)
        // The error strategy decides; answers to other questions are ignored. Without a retry there is no further
        // attempt.
        case deciding(question: UInt64, PaginatorError, Retry?)
        /// Has failed; the fallback is still being read.
        case failed(PaginatorError, servesCached: Bool)

        var task: UInt64? {
            switch self {
            case .queued(let queued): queued.task
            case .attempting(let task, _), .judging(let task, _, _): task
            case .unneeded, .held, .deciding, .failed: nil
            }
        }
    }

    struct Call: Sendable {
        /// Unique among such times.
        let requestedAt: PaginatorInstant
        /// The start of the caller's call that the source was called for; `nil` for a single page.
        let calledAt: PaginatorInstant?
        /// The part that it continues; `nil` if it requests the page from its start.
        var base: LoadedPage?
        /// Tags invalidated since `requestedAt`, each with its first time. All are kept: the tags of the page being
        /// loaded are unknown until it arrives.
        private(set) var invalidatedTags: [ExactText: PaginatorInstant] = [:]

        mutating func invalidate(_ tags: Set<ExactText>, at time: PaginatorInstant) {
            for tag in tags where invalidatedTags[tag] == nil { invalidatedTags[tag] = time }
        }
    }

    struct Retry: Sendable {
        let statedDelay: Duration?
    }

    struct Queued: Sendable {
        let task: UInt64
        /// The retry that this is; `nil` for a first attempt.
        let retry: Retry?
        /// The end of the pause that the source asked for, and the error for waiters whose deadline is earlier.
        var pause: (end: PaginatorInstant, error: PaginatorError)?
    }

    /// A class, because most events change it in several places. It never leaves the machine, which cannot be copied.
    final class Load {
        let id: UInt64
        let identity: PageIdentity
        let startedAt: PaginatorInstant
        /// The time at which the source was first wanted; `nil` while the caches may have the answer.
        var sourceWantedAt: PaginatorInstant?
        /// Whether the load's epoch is the current one, so that its page may be cached.
        var isCurrent = true
        /// The waiters in joining order; those that left remain until the array is compacted.
        var waiters: [UInt64] = []
        var owners = Owners()
        /// The demand that the scheduler was told last.
        var demand = SchedulerDemand(priority: .low)
        /// The waiter that keeps the load running for the caches alone.
        var background: UInt64?
        var cache = CacheStage.unneeded
        var source = SourceStage.unneeded
        /// The cached page that can be a preview or a fallback.
        var candidate: LoadedPage?
        /// The part of the page that has arrived.
        var part: Part?
        /// How often a part was discarded because it could not be continued.
        var restarts = 0
        var attempts = 0
        /// The number of attempts that failed without a connection; they do not count toward the limit.
        var failedOffline = 0
        /// The last call of the source.
        var call: Call?
        var lastError: PaginatorError?
        /// Whether a validator has rejected a page of the load once.
        var hasReloaded = false

        init(id: UInt64, identity: PageIdentity, startedAt: PaginatorInstant) {
            self.id = id
            self.identity = identity
            self.startedAt = startedAt
        }

        // Replaced as a whole, so that reading it needs no dynamic exclusivity check.
        func count(_ waiter: Waiter, _ change: Int) {
            var changed = owners
            changed.count(waiter, change)
            owners = changed
        }

        func invalidate(tags: Set<ExactText>, at time: PaginatorInstant) {
            candidate = candidate?.invalidated(by: tags)
            if let stale = part?.page.invalidated(by: tags) { part?.page = stale }
            cache.invalidate(tags)
            // Only if a page is on its way: thousands of loads may be queued, and will bring newer pages.
            switch source {
            case .attempting, .judging: call?.invalidate(tags, at: time)
            case .unneeded, .held, .queued, .deciding, .failed: break
            }
        }

        /// Gives an answer the times of its call. That of the request, not of the answer, tells which of two pages may
        /// know of newer rows.
        func setTimes(of page: inout LoadedPage, elseFrom start: PaginatorInstant) {
            page.fetchedAt = call?.base?.fetchedAt ?? call?.requestedAt ?? start
            page.calledAt = call?.calledAt
        }

        /// Returns when a tag of the page was first invalidated after the source was asked for the page.
        func invalidation(of page: LoadedPage) -> PaginatorInstant? {
            guard let call, !call.invalidatedTags.isEmpty else { return nil }
            return page.details.tags.compactMap { call.invalidatedTags[ExactText($0)] }.min()
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

    /// Whether a cached page is the answer after a failure, whatever the error strategy says.
    var insistsOnFallback: Bool {
        switch self {
        case .networkFirst, .cacheThenRenew, .staleWhileRevalidate: true
        case .cacheFirst, .cacheOnly, .networkOnly: false
        }
    }
}
