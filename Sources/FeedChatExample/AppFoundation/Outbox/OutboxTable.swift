#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A row of pending work.
package protocol OutboxOperation: Sendable {
    /// The id of the row in its table; the same for all attempts.
    var id: String { get }
    /// The number of failed attempts that count, as stored in the row.
    var failureCount: Int { get }
}

/// A table of pending operations, which an ``Outbox`` sends.
///
/// The table knows its rows, its server and its transactions; the engine knows order, gates, back-off, limits and
/// timeouts. A row is written before anything is sent. The engine writes nothing when an attempt begins, so after a
/// kill the row is found and sent again; the server remembers the id, which makes that harmless.
///
/// - ``lanes(excluding:limit:batchLimit:)`` reads the pending rows. ``OutboxQuery`` does it over one SQL table.
/// - ``send(_:)`` calls the server and throws an ``OutboxFailure`` (an ``APIError`` is converted to one).
/// - ``recordSuccess(_:response:)`` removes the rows and stores the server's answer, in one transaction.
/// - ``recordFailure(_:failureCount:notBefore:failure:)`` stores the number of failures.
/// - ``recordCancellation(_:failure:)`` rolls back the optimistic state, in one transaction.
///
/// Every method is called off the main thread, one at a time for each lane, in parallel for several lanes.
package protocol OutboxTable: AnyObject, Sendable {
    associatedtype Operation: OutboxOperation
    associatedtype Response: Sendable

    /// The table's name in events and calls.
    var name: String { get }

    /// Reads the lanes that have pending operations, the lane with the oldest operation first.
    ///
    /// - Parameters:
    ///   - lanes: the lanes that are busy, which are excluded.
    ///   - limit: the maximum number of lanes to return.
    ///   - batchLimit: the maximum number of operations to return for each lane, its oldest first.
    func lanes(excluding lanes: Set<String>, limit: Int, batchLimit: Int) async throws -> [OutboxLane<Operation>]

    /// Sends operations of one lane, in order; several only if the table's policy has batches.
    ///
    /// The task is cancelled at the timeout; a late result is ignored.
    func send(_ operations: [Operation]) async throws -> Response

    /// Removes the rows and stores the server's answer, in one transaction. Missing rows are no error.
    func recordSuccess(_ operations: [Operation], response: Response) async throws

    /// Stores that an attempt failed; called for failures that count, not for those of the connection.
    ///
    /// - Parameters:
    ///   - failureCount: the new number of failures of the rows.
    ///   - notBefore: the wall-clock time of the next attempt, for tables that store it.
    func recordFailure(
        _ operations: [Operation], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws

    /// Cancels operations, at the limit or because the server refuses them permanently: marks the rows and rolls back
    /// the optimistic state, in one transaction.
    func recordCancellation(_ operations: [Operation], failure: OutboxFailure) async throws
}

/// The oldest pending operations of one lane. The lanes of a table are independent, and each keeps its order.
package struct OutboxLane<Operation: OutboxOperation>: Sendable {
    /// The name that the operations share, such as a post or a conversation.
    package let name: String
    /// In the order of creation; not empty.
    package let operations: [Operation]
    /// The wall-clock time before which the first one is not sent; `nil` for at once.
    package let notBefore: Date?

    package init(name: String, operations: [Operation], notBefore: Date? = nil) {
        self.name = name
        self.operations = operations
        self.notBefore = notBefore
    }
}
