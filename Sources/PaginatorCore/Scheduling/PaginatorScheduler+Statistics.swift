extension PaginatorScheduler {
    /// How many attempts run; for tests, at less cost than all of the statistics.
    package var runningAttempts: Int { driver.withMachine { $0.running } }

    /// What a scheduler is doing.
    package struct Statistics: Sendable, Hashable {
        /// How many attempts run, each with a slot.
        package var running: Int
        /// How many loads are ready to start, by priority.
        package var waiting: [FetchPriority: Int]
        /// How many loads wait for the time of their next attempt.
        package var backingOff: Int
        /// How many loads wait because their source asked to be left alone.
        package var held: Int
        /// What is left of the retry budget, in attempts.
        var retryBudget: Double
        /// The probability with which the next attempt is held back to spare a failing source, from 0 to 1.
        var throttleProbability: Double
        /// Whether the scheduler is suspended.
        var isSuspended: Bool
        /// The conditions that it goes by.
        package var conditions: PaginatorConditions
    }
}

extension SchedulerMachine {
    /// What the scheduler is doing at `now`. Complexity: O(tasks).
    mutating func statistics(at now: PaginatorInstant) -> PaginatorScheduler.Statistics {
        self.now = max(self.now, now)
        var waiting = Dictionary(uniqueKeysWithValues: FetchPriority.allCases.map { ($0, 0) })
        var (backingOff, held) = (0, 0)
        for state in clients.values.lazy.flatMap(\.tasks.values) {
            switch state {
            case .ready(_, let demand): waiting[demand.priority, default: 0] += 1
            case .backingOff: backingOff += 1
            case .held: held += 1
            case .running: break
            }
        }
        return PaginatorScheduler.Statistics(
            running: running, waiting: waiting, backingOff: backingOff, held: held,
            retryBudget: budget.tokens(at: self.now),
            throttleProbability: throttle?.rejectProbability(at: self.now) ?? 0, isSuspended: isSuspended,
            conditions: conditions)
    }
}
