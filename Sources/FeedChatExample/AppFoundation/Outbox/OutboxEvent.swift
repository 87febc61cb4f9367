package import PaginatorCore

/// What an ``OutboxMachine`` is told.
package enum OutboxEvent: Sendable {
    /// Rows of a table may have come; of all tables without one.
    case changed(table: Int?)
    case gates(OutboxGates)
    /// There is another token than the one that was refused.
    case signedIn
    case scanned(table: Int, [OutboxMachine.FoundLane])
    case scanFailed(table: Int)
    /// An attempt ended; well, without a failure.
    case sent(Int, OutboxFailure?)
    /// Its outcome was written, or could not be.
    case recorded(Int, isStored: Bool)
    case stop(OutboxMachine.LaneKey)
    /// The armed moment has come.
    case time
    case drain(Int)
    case abandonDrain(Int)
    case policy(OutboxPolicy, table: Int)
    case shutDown
}

/// What an ``OutboxMachine`` asks for. Attempts have a token, and an answer with an old one is ignored.
package enum OutboxAction: Sendable, Equatable {
    case scan(Int, excluding: Set<String>, limit: Int, batchLimit: Int)
    /// Send the first operations that the last scan found in the lane.
    case send(Int, OutboxMachine.LaneKey, count: Int)
    case cancelSend(Int)
    /// The token is not used anymore.
    case forget(Int, table: Int)
    case recordSuccess(Int)
    case recordFailure(Int, failureCount: Int, delay: Duration, OutboxFailure)
    case recordCancellation(Int, OutboxFailure)
    case arm(PaginatorInstant)
    case disarm
    case drained(Int, OutboxDrain)
}

/// What an outbox has done since it was made.
package struct OutboxStatistics: Sendable, Equatable {
    /// Calls of the server that began.
    package internal(set) var attempts = 0
    /// Operations that the server took.
    package internal(set) var sent = 0
    /// Attempts that failed and counted.
    package internal(set) var failed = 0
    /// Attempts that did not reach the server.
    package internal(set) var unreachable = 0
    /// Operations that were given up.
    package internal(set) var cancelled = 0
    /// Reads and writes of tables that failed.
    package internal(set) var storageFailures = 0

    package init() {}

    func since(_ start: OutboxStatistics, isComplete: Bool) -> OutboxDrain {
        OutboxDrain(sent: sent - start.sent, cancelled: cancelled - start.cancelled, isComplete: isComplete)
    }
}

/// What one ``Outbox/drainOnce()`` did.
package struct OutboxDrain: Sendable, Equatable {
    /// Operations that the server took meanwhile.
    package let sent: Int
    /// Operations that were given up meanwhile.
    package let cancelled: Int
    /// Whether nothing is left.
    package let isComplete: Bool

    package init(sent: Int, cancelled: Int, isComplete: Bool) {
        self.sent = sent
        self.cancelled = cancelled
        self.isComplete = isComplete
    }
}
