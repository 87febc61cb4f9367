@testable import PaginatorCore

// What tests ask of a scheduler.
extension PaginatorScheduler {
    var statistics: Statistics {
        let now = clock.now
        return driver.withMachine { $0.statistics(at: now) }
    }

    struct Statistics: Sendable, Hashable {
        var running: Int
        var waiting: [FetchPriority: Int]
        var backingOff: Int
        var held: Int
        var retryBudget: Double
        var throttleProbability: Double
        var isSuspended: Bool
        var conditions: PaginatorConditions
    }
}

extension RetryBudget {
    mutating func tokens(at now: PaginatorInstant) -> Double {
        _ = share(at: now)
        return Double(balance) / 1_000_000
    }
}

extension SchedulerMachine {
    mutating func statistics(at now: PaginatorInstant) -> PaginatorScheduler.Statistics {
        self.now = max(self.now, now)
        var waiting = Dictionary(uniqueKeysWithValues: FetchPriority.allCases.map { ($0, 0) })
        var (backingOff, held) = (0, 0)
        for state in clients.values.lazy.flatMap(\.values) {
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
