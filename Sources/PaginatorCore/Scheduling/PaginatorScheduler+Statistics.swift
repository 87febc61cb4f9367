extension PaginatorScheduler {
    /// How many attempts run; for tests, at less cost than all of the statistics.
    package var runningAttempts: Int { state.withLock { $0.machine.slots.running } }

    /// What a scheduler is doing and has done so far.
    package struct Statistics: Sendable, Hashable {
        /// How many attempts run, each with a slot.
        package var running: Int
        /// How many loads are ready to start, by priority.
        package var waiting: [FetchPriority: Int]
        /// How many of those that are ready to start are prefetches.
        package var waitingPrefetches: Int
        /// How many loads wait for the time of their next attempt.
        package var backingOff: Int
        /// How many loads wait because their source asked to be left alone.
        package var held: Int
        /// How often a source asked to be left alone.
        package var pauses: Int
        /// How many attempts have started.
        package var starts: Int
        /// How many further attempts were granted after a failure.
        package var retries: Int
        /// How many loads were refused because there was no connection.
        package var refusedOffline: Int
        /// How many loads that nobody looks at yet were refused because of a weak link, low power or the background.
        package var heldBack: Int
        /// How many loads were held back to spare a failing source.
        package var throttled: Int
        /// How many further attempts were refused because the retry budget was spent.
        package var refusedByBudget: Int
        /// What is left of the retry budget, in attempts.
        package var retryBudget: Double
        /// The probability with which the next attempt is held back to spare a failing source, from 0 to 1.
        package var throttleProbability: Double
        /// Whether the scheduler is suspended.
        package var isSuspended: Bool
        /// The conditions that it goes by.
        package var conditions: PaginatorConditions
    }

    struct Counters: Sendable {
        var starts = 0
        var pauses = 0
        var retries = 0
        var refusedOffline = 0
        var heldBack = 0
        var throttled = 0
        var refusedByBudget = 0

        mutating func note(_ reason: SchedulerRefusal) {
            switch reason {
            case .offline: refusedOffline += 1
            case .heldBack: heldBack += 1
            case .throttled: throttled += 1
            case .budgetSpent: refusedByBudget += 1
            }
        }
    }
}

extension SchedulerMachine {
    /// What the scheduler is doing at `now`. Complexity: O(1).
    package mutating func statistics(at now: PaginatorInstant) -> PaginatorScheduler.Statistics {
        self.now = max(self.now, now)
        var waiting: [FetchPriority: Int] = [:]
        var prefetches = 0
        for priority in FetchPriority.allCases {
            let prefetched = ready.count(priority: priority, isPrefetch: true)
            waiting[priority] = ready.count(priority: priority, isPrefetch: false) + prefetched
            prefetches += prefetched
        }
        return PaginatorScheduler.Statistics(
            running: slots.running,
            waiting: waiting,
            waitingPrefetches: prefetches,
            backingOff: backingOff,
            held: held,
            pauses: counters.pauses,
            starts: counters.starts,
            retries: counters.retries,
            refusedOffline: counters.refusedOffline,
            heldBack: counters.heldBack,
            throttled: counters.throttled,
            refusedByBudget: counters.refusedByBudget,
            retryBudget: budget.tokens(at: self.now),
            throttleProbability: throttle?.rejectProbability(at: self.now) ?? 0,
            isSuspended: isSuspended,
            conditions: conditions
        )
    }
}
