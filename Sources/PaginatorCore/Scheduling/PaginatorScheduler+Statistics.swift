extension PaginatorScheduler {
    // At less cost than all of the statistics.
    package var runningAttempts: Int { driver.withMachine { $0.running } }

    package struct Statistics: Sendable, Hashable {
        package var running: Int
        package var waiting: [FetchPriority: Int]
        package var backingOff: Int
        package var held: Int
        var retryBudget: Double
        var throttleProbability: Double
        var isSuspended: Bool
        package var conditions: PaginatorConditions
    }
}

extension SchedulerMachine {
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
