#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A row of pending work, as its table reads it.
package protocol OutboxOperation: Sendable {
    /// The row's name within its table; it stays the same from the first attempt to the last.
    var id: String { get }
    /// How many attempts that count have failed, as the row says.
    var failureCount: Int { get }
}

/// A table of pending operations, which an ``Outbox`` sends.
///
/// The table knows its rows, its server and its transactions; the engine knows order, gates, back-off, limits and
/// timeouts. A row is written before anything is sent. The engine writes nothing when it begins an attempt, so after a
/// kill at any moment the row is found again and sent again; the id that the server remembers makes that harmless.
///
/// - ``lanes(excluding:limit:batchLimit:)`` reads what is pending. ``OutboxQuery`` does it over one SQL table.
/// - ``send(_:)`` speaks to the server and throws an ``OutboxFailure`` (an ``APIError`` is turned into one).
/// - ``recordSuccess(_:response:)`` removes the rows and stores what the server said, in one transaction.
/// - ``recordFailure(_:failureCount:notBefore:failure:)`` counts.
/// - ``recordCancellation(_:failure:)`` rolls back what was shown optimistically, in one transaction.
///
/// Every method is called off the main thread, for each lane one at a time, for several lanes at once.
package protocol OutboxTable: AnyObject, Sendable {
    associatedtype Operation: OutboxOperation
    associatedtype Response: Sendable

    /// The table's name in events and calls.
    var name: String { get }

    /// Reads the lanes that have pending operations, the lane with the oldest operation first.
    ///
    /// - Parameters:
    ///   - lanes: the lanes that the engine is busy with; they are left out.
    ///   - limit: how many lanes to return at most.
    ///   - batchLimit: how many operations of each lane to return at most, its oldest first.
    func lanes(excluding lanes: Set<String>, limit: Int, batchLimit: Int) async throws -> [OutboxLane<Operation>]

    /// Sends operations of one lane, in their order; more than one only where the table's policy has batches.
    ///
    /// The task is cancelled at the timeout; a call that ends late is ignored.
    func send(_ operations: [Operation]) async throws -> Response

    /// Removes the rows and stores the server's answer, in one transaction; rows that are gone are no error.
    func recordSuccess(_ operations: [Operation], response: Response) async throws

    /// Stores that an attempt failed; called for failures that count, and not for those of the connection.
    ///
    /// - Parameters:
    ///   - failureCount: what the rows count from now on.
    ///   - notBefore: the wall-clock time of the next attempt, for tables that keep it.
    func recordFailure(
        _ operations: [Operation], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws

    /// Gives operations up, at the limit or because the server refuses them for good: marks the rows and rolls back
    /// what was shown, in one transaction.
    func recordCancellation(_ operations: [Operation], failure: OutboxFailure) async throws
}

/// The oldest pending operations of one lane; the lanes of a table are independent, and one lane keeps its order.
package struct OutboxLane<Operation: OutboxOperation>: Sendable {
    /// What the operations have in common, such as a post or a conversation.
    package let name: String
    /// In the order in which they were made; not empty.
    package let operations: [Operation]
    /// The wall-clock time before which the first one is not sent; `nil` for at once.
    package let notBefore: Date?

    package init(name: String, operations: [Operation], notBefore: Date? = nil) {
        self.name = name
        self.operations = operations
        self.notBefore = notBefore
    }
}
