import PaginatorCore

/// How an outbox treats the operations of one table.
package struct OutboxPolicy: Sendable, Hashable {
    /// How many attempts that count an operation has, at least 1; the last failure cancels it.
    package var attemptLimit = 8
    /// How long one attempt may take.
    package var timeout: Duration = .seconds(30)
    /// The ceiling of the wait after the first failure; it doubles with each, and the wait is drawn below it.
    package var backoffBase: Duration = .milliseconds(500)
    /// The highest ceiling.
    package var backoffCap: Duration = .seconds(60)
    /// How many operations of a lane go in one call, at least 1. A batch that is refused for good is sent again one by
    /// one, so that one bad operation cancels no other.
    package var batchLimit = 1
    /// How many lanes are sent at the same time, at least 1.
    package var parallelLanes = 4

    package init() {}

    var backoff: Backoff { Backoff(base: backoffBase, cap: backoffCap) }
}
