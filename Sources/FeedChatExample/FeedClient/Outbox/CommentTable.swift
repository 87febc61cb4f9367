package import AppFoundation
package import Foundation
import GRDB

/// A comment that the server has not taken yet.
package struct CommentRequest: OutboxOperation {
    package let rowID: Int64
    package let requestID: String
    package let postID: Int64
    package let content: String
    package let failureCount: Int
    package let createdAt: Date

    package var id: String { requestID }

    init(_ row: Row) {
        rowID = row["id"]
        requestID = row["requestId"]
        postID = row["postId"]
        content = row["content"]
        failureCount = row["failureCount"]
        createdAt = row["createdAt"]
    }

    func preview(by author: Author) -> Comment {
        Comment(id: -rowID, postID: postID, author: author, content: content, createdAt: createdAt)
    }
}

/// The table `CommentRequests` as the outbox sends it: in order for each post.
package final class CommentTable: OutboxTable {
    package let name = "comments"
    private static let pending = "status IN ('pending', 'failed')"
    private static let query = OutboxQuery(table: "CommentRequests", lane: "postId", order: "id", pending: pending)

    private let database: AppDatabase
    private let api: FeedAPI
    private let settled: @Sendable (CommentRequest, Comment?) -> Void
    private let postIsGone: @Sendable (Int64) async throws -> Void

    init(
        _ database: AppDatabase, api: FeedAPI, settled: @escaping @Sendable (CommentRequest, Comment?) -> Void,
        postIsGone: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.database = database
        self.api = api
        self.settled = settled
        self.postIsGone = postIsGone
    }

    func add(_ content: String, on post: Int64, requestID: String) async throws -> CommentRequest {
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO CommentRequests (requestId, postId, content, createdAt) VALUES (?, ?, ?, ?)",
                arguments: [requestID, post, content, Date()])
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT * FROM CommentRequests WHERE id = ?", arguments: [db.lastInsertedRowID])
            else { throw OutboxRowError.unknownAction }
            return CommentRequest(row)
        }
    }

    static func pending(on post: Int64, _ db: Database) throws -> [CommentRequest] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM CommentRequests WHERE postId = ? AND \(pending) ORDER BY id", arguments: [post]
        ).map(CommentRequest.init)
    }

    static func cancelAll(on post: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE CommentRequests SET status = 'canceled' WHERE postId = ? AND \(pending)", arguments: [post])
    }

    package func lanes(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int
    ) async throws -> [OutboxLane<CommentRequest>] {
        try await database.read { db in
            try Self.query.lanes(
                db, excluding: lanes, limit: limit, batchLimit: batchLimit, operation: CommentRequest.init)
        }
    }

    package func send(_ operations: [CommentRequest]) async throws -> Comment? {
        guard let request = operations.first else { return nil }
        do {
            return try await api.comment(request.content, on: request.postID, requestID: request.requestID)
        } catch {
            if error.isOfMissingPost { try await postIsGone(request.postID) }
            throw error
        }
    }

    package func recordSuccess(_ operations: [CommentRequest], response: Comment?) async throws {
        let ids = operations.map(\.rowID)
        try await database.write { db in
            for id in ids { try db.execute(sql: "DELETE FROM CommentRequests WHERE id = ?", arguments: [id]) }
        }
        if let request = operations.first { settled(request, response) }
    }

    package func recordFailure(
        _ operations: [CommentRequest], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws {
        try await setStatus(of: operations, "failed", failureCount)
    }

    package func recordCancellation(_ operations: [CommentRequest], failure: OutboxFailure) async throws {
        try await setStatus(of: operations, "canceled", nil)
        for request in operations { settled(request, nil) }
    }

    private func setStatus(of operations: [CommentRequest], _ status: String, _ count: Int?) async throws {
        let ids = operations.map(\.rowID)
        try await database.write { db in
            for id in ids {
                try db.execute(
                    sql: """
                        UPDATE CommentRequests SET status = ?, failureCount = coalesce(?, failureCount + 1)
                        WHERE id = ? AND status != 'canceled'
                        """, arguments: [status, count, id])
            }
        }
    }
}
