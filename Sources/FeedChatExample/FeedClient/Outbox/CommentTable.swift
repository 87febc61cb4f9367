package import AppFoundation
package import Foundation
import GRDB

/// A comment that the server has not accepted yet.
package struct CommentRequest: OutboxOperation, Hashable {
    package let rowID: Int64
    package let requestID: String
    package let postID: Int64
    /// The comment that it replies to.
    package let parentID: Int64?
    package let content: String
    package let failureCount: Int
    package let createdAt: Date

    package var id: String { requestID }

    init(_ row: Row) {
        rowID = row["id"]
        requestID = row["requestId"]
        postID = row["postId"]
        parentID = row["parentId"]
        content = row["content"]
        failureCount = row["failureCount"]
        createdAt = row["createdAt"]
    }

    func preview(by author: Author) -> Comment {
        Comment(id: -rowID, postID: postID, author: author, content: content, createdAt: createdAt, parentID: parentID)
    }

    var scope: CommentScope { CommentScope(post: postID, parent: parentID) }
}

/// A comment that the server has accepted.
package struct MadeComment: Sendable {
    let comment: Comment
    /// The number of comments on the post, this one included; unlike an increment it may be applied twice.
    let countOnPost: Int
    /// The number of replies in the comment's thread.
    let countInThread: Int?
}

/// The outbox table `CommentRequests`: in order for each post.
package final class CommentTable: OutboxTable {
    package let name = "comments"
    private static let pending = "status IN ('pending', 'failed')"
    private static let query = OutboxQuery(table: "CommentRequests", lane: "postId", order: "id", pending: pending)

    private let database: AppDatabase
    private let api: FeedAPI
    private let settled: @Sendable (CommentRequest, MadeComment?) -> Void
    private let gaveUp: @Sendable (CommentRequest) -> Void
    private let postIsGone: @Sendable (Int64) async throws -> Void

    init(
        _ database: AppDatabase, api: FeedAPI, settled: @escaping @Sendable (CommentRequest, MadeComment?) -> Void,
        gaveUp: @escaping @Sendable (CommentRequest) -> Void,
        postIsGone: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.database = database
        self.api = api
        self.settled = settled
        self.gaveUp = gaveUp
        self.postIsGone = postIsGone
    }

    func add(
        _ content: String, on post: Int64, replyingTo parent: Int64?, requestID: String
    ) async throws -> CommentRequest {
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO CommentRequests (requestId, postId, parentId, content, createdAt) VALUES (?, ?, ?, ?, ?)
                    """, arguments: [requestID, post, parent, content, Date()])
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

    /// Returns the failed comments, which wait until the user resends or discards them.
    static func givenUp(_ db: Database) throws -> [CommentRequest] {
        try Row.fetchAll(db, sql: "SELECT * FROM CommentRequests WHERE status = 'canceled' ORDER BY id")
            .map(CommentRequest.init)
    }

    /// Sends a failed comment again.
    ///
    /// - Parameter forget: called for a failed comment before it can be sent.
    /// - Returns: whether it exists and had failed.
    func resend(_ request: CommentRequest, forget: @escaping @Sendable () -> Void) async throws -> Bool {
        try await database.write { db in
            try db.execute(
                sql: """
                    UPDATE CommentRequests SET status = 'pending', failureCount = 0 WHERE id = ? AND status = 'canceled'
                    """, arguments: [request.rowID])
            guard db.changesCount > 0 else { return false }
            forget()
            return true
        }
    }

    /// Discards a failed comment.
    func discard(_ request: CommentRequest) async throws {
        try await database.write {
            try $0.execute(
                sql: "DELETE FROM CommentRequests WHERE id = ? AND status = 'canceled'", arguments: [request.rowID])
        }
    }

    static func cancelAll(on post: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE CommentRequests SET status = 'canceled' WHERE postId = ? AND \(pending)", arguments: [post])
        try FailedRows.trim("CommentRequests", db)
    }

    package func lanes(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int
    ) async throws -> [OutboxLane<CommentRequest>] {
        try await database.read { db in
            try Self.query.lanes(
                db, excluding: lanes, limit: limit, batchLimit: batchLimit, operation: CommentRequest.init)
        }
    }

    package func send(_ operations: [CommentRequest]) async throws -> MadeComment? {
        guard let request = operations.first else { return nil }
        do {
            return try await api.comment(request)
        } catch {
            if error.isOfMissingPost { try await postIsGone(request.postID) }
            throw error
        }
    }

    package func recordSuccess(_ operations: [CommentRequest], response: MadeComment?) async throws {
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
        try await setStatus(of: operations, "canceled", nil) { [settled] in
            // Before anything else is stored, and so before the comment is sent again.
            for request in operations { settled(request, nil) }
        }
        for request in operations { gaveUp(request) }
    }

    private func setStatus(
        of operations: [CommentRequest], _ status: String, _ count: Int?,
        onCommit: @escaping @Sendable () -> Void = {}
    ) async throws {
        let ids = operations.map(\.rowID)
        try await database.write { db in
            for id in ids {
                try db.execute(
                    sql: """
                        UPDATE CommentRequests SET status = ?, failureCount = coalesce(?, failureCount + 1)
                        WHERE id = ? AND status != 'canceled'
                        """, arguments: [status, count, id])
            }
            try FailedRows.trim("CommentRequests", db)
            db.afterNextTransaction { _ in onCommit() }
        }
    }
}
