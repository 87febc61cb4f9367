extension FetchMachine {
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
        case suspended(order: UInt64, Retry?)
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
            case .unneeded, .suspended, .deciding, .failed: nil
            }
        }
    }

    struct Call: Sendable {
        /// Unique among such times.
        var requestedAt: PaginatorInstant
        /// The start of the caller's call that the source was called for, or the refresh after which the source read
        /// the page; `nil` for a single page.
        var calledAt: PaginatorInstant?
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
        var statedDelay: Duration?
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
        /// Whether the page may be cached for one of the waiters so far.
        var isForCaches = false
        var fillsCaches: Bool { isCurrent && isForCaches }
        /// Whether it has failed for its callers, and only prefetches wait on.
        var hasFailed = false
        /// The waiters in joining order; those that left remain until the array is compacted.
        var waiters: [UInt64] = []
        var wanted = WaiterCounts()
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
            var changed = wanted
            changed.count(waiter, change)
            wanted = changed
        }

        func invalidate(tags: Set<ExactText>, at time: PaginatorInstant) {
            candidate = candidate?.invalidated(by: tags)
            if let stale = part?.page.invalidated(by: tags) { part?.page = stale }
            cache.invalidate(tags)
            // Only if a page is on its way: thousands of loads may be queued, and will bring newer pages.
            switch source {
            case .attempting, .judging: call?.invalidate(tags, at: time)
            case .unneeded, .suspended, .queued, .deciding, .failed: break
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
