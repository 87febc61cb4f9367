package import PaginatorCore

/// The events of an ``OutboxMachine``.
package enum OutboxEvent: Sendable {
    /// A table may have new rows; `nil` for all tables.
    case changed(table: Int?)
    case gates(OutboxGates)
    /// There is a new token after one was refused.
    case signedIn
    case scanned(table: Int, [OutboxMachine.FoundLane])
    case scanFailed(table: Int)
    /// An attempt ended; without a failure it succeeded.
    case sent(Int, OutboxFailure?)
    /// Its outcome was written, or writing failed.
    case recorded(Int, isStored: Bool)
    case stop(OutboxMachine.LaneKey)
    /// The armed deadline has passed.
    case time
    case drain(Int)
    case abandonDrain(Int)
    case shutDown
}

/// The actions of an ``OutboxMachine``. Attempts have a token, and an answer with an old token is ignored.
package enum OutboxAction: Sendable, Equatable {
    case scan(Int, excluding: Set<String>, limit: Int, batchLimit: Int)
    /// Send the first operations that the last scan found in the lane.
    case send(Int, OutboxMachine.LaneKey, count: Int)
    case cancelSend(Int)
    /// The token is no longer used.
    case forget(Int, table: Int)
    case recordSuccess(Int)
    case recordFailure(Int, failureCount: Int, delay: Duration, OutboxFailure)
    case recordCancellation(Int, OutboxFailure)
    case arm(PaginatorInstant)
    case disarm
    case drained(Int, OutboxDrain)
}

/// The statistics of an outbox since its creation.
package struct OutboxStatistics: Sendable, Equatable {
    /// Calls of the server that began.
    package internal(set) var attempts = 0
    /// Operations that the server accepted.
    package internal(set) var sent = 0
    /// Attempts that failed and counted.
    package internal(set) var failed = 0
    /// Attempts that did not reach the server.
    package internal(set) var unreachable = 0
    /// Operations that were cancelled.
    package internal(set) var cancelled = 0
    /// Reads and writes of tables that failed.
    package internal(set) var storageFailures = 0

    package init() {}

    func since(_ start: OutboxStatistics, isComplete: Bool) -> OutboxDrain {
        OutboxDrain(sent: sent - start.sent, cancelled: cancelled - start.cancelled, isComplete: isComplete)
    }
}

/// The result of one ``Outbox/drainOnce()``.
package struct OutboxDrain: Sendable, Equatable {
    /// Operations that the server accepted meanwhile.
    package let sent: Int
    /// Operations that were cancelled meanwhile.
    package let cancelled: Int
    /// Whether no operation is left.
    package let isComplete: Bool

    package init(sent: Int, cancelled: Int, isComplete: Bool) {
        self.sent = sent
        self.cancelled = cancelled
        self.isComplete = isComplete
    }
}
