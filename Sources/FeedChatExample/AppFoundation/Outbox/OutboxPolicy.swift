import PaginatorCore

/// The policy of an outbox for the operations of one table.
package struct OutboxPolicy: Sendable, Hashable {
    /// The maximum number of attempts that count, at least 1; the last failure cancels the operation.
    package var attemptLimit = 8
    /// The timeout of one attempt.
    package var timeout: Duration = .seconds(30)
    /// The upper bound of the delay after the first failure. It doubles with each failure, and the delay is random
    /// below it.
    package var backoffBase: Duration = .milliseconds(500)
    /// The maximum of the upper bound.
    package var backoffCap: Duration = .seconds(60)
    /// The maximum number of operations of a lane in one call, at least 1. A batch that is refused permanently is sent
    /// again one by one, so that one invalid operation cancels no other.
    package var batchLimit = 1
    /// The number of lanes that are sent in parallel, at least 1.
    package var parallelLanes = 4

    package init() {}

    var backoff: Backoff { Backoff(base: backoffBase, cap: backoffCap) }
}
