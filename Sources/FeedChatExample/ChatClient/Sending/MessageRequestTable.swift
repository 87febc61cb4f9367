package import AppFoundation
package import ChatWire
package import Foundation
package import PaginatorCore

extension MessageRequest: OutboxOperation {
    package var failureCount: Int { failCount }
}

/// Messages that wait for the server: a lane is a conversation, in the order of writing, and what waits of it
/// goes in one request.
package final class MessageRequestTable: OutboxTable {
    package let name = "MessageRequests"
    private static let query = OutboxQuery(
        table: "MessageRequests", lane: "toUserId", order: "createdAt", pending: "status IN (1, 2)",
        notBefore: "notBefore")

    private let database: ChatDatabase
    private let api: any ChatAPI
    private let clock: any PaginatorClock

    init(_ database: ChatDatabase, api: any ChatAPI, clock: any PaginatorClock) {
        self.database = database
        self.api = api
        self.clock = clock
    }

    package func lanes(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int
    ) async throws -> [OutboxLane<MessageRequest>] {
        try await database.read { read in
            try Self.query.lanes(read.db, excluding: lanes, limit: limit, batchLimit: batchLimit) {
                MessageRequest(row: $0)
            }
        }
    }

    package func send(_ operations: [MessageRequest]) async throws -> [SentMessage] {
        let now = clock.milliseconds
        try await database.write { try $0.markSent(operations.map(\.requestId), now: now) }
        return try await api.send(
            operations.map { request in
                SendMessageBody(
                    requestId: request.requestId, toUserId: request.toUserId, content: request.content,
                    createdAt: request.createdAt)
            })
    }

    package func recordSuccess(_ operations: [MessageRequest], response: [SentMessage]) async throws {
        try await database.write { write in for sent in response { try write.acknowledge(sent) } }
    }

    package func recordFailure(
        _ operations: [MessageRequest], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws {
        try await database.write { write in
            try write.noteFailure(
                operations.map(\.requestId), failCount: failureCount, notBefore: notBefore.timeIntervalSince1970)
        }
    }

    package func recordCancellation(_ operations: [MessageRequest], failure: OutboxFailure) async throws {
        try await database.write { try $0.giveUp(operations.map(\.requestId)) }
    }
}

extension PaginatorClock {
    /// The wall clock in milliseconds since 1970.
    package var milliseconds: Int64 { Int64((wallTime.timeIntervalSince1970 * 1_000).rounded()) }
}
