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
        /// Whether its page was cleared since it was asked for, so that the answer is not cached for its sake.
        var isCleared = false

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
    struct WaiterCounts: Sendable {
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
}
