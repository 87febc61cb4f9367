package import AppFoundation
package import ChatWire
package import Foundation

extension PendingChange: OutboxOperation {
    package var id: String { requestId }
    package var failureCount: Int { failCount }
}

/// Waiting edits and deletions of the user's messages: a lane is a message.
package final class MessageChangeTable: OutboxTable {
    package let name = "MessageChanges"
    private static let query = OutboxQuery(
        table: "MessageChanges", lane: "messageId", order: "id", pending: "1", notBefore: "notBefore")

    private let database: ChatDatabase
    private let api: any ChatAPI

    init(_ database: ChatDatabase, api: any ChatAPI) {
        self.database = database
        self.api = api
    }

    package func lanes(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int
    ) async throws -> [OutboxLane<PendingChange>] {
        try await database.read { read in
            try Self.query.lanes(read.db, excluding: lanes, limit: limit, batchLimit: batchLimit) {
                PendingChange(row: $0)
            }
        }
    }

    package func send(_ operations: [PendingChange]) async throws -> [MessageRevision] {
        var made: [MessageRevision] = []
        for change in operations {
            made.append(try await api.change(change.messageId, to: change.content, requestId: change.requestId))
        }
        return made
    }

    package func recordSuccess(_ operations: [PendingChange], response: [MessageRevision]) async throws {
        try await database.write { write in
            for (change, revision) in zip(operations, response) {
                try write.confirm(change, as: revision)
            }
        }
    }

    package func recordFailure(
        _ operations: [PendingChange], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws {
        try await database.write { write in
            try write.noteChangeFailure(
                operations, failCount: failureCount, notBefore: notBefore.timeIntervalSince1970)
        }
    }

    package func recordCancellation(_ operations: [PendingChange], failure: OutboxFailure) async throws {
        try await database.write { write in for change in operations.reversed() { try write.rollBack(change) } }
    }
}
