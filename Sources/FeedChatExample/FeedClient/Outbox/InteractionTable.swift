package import AppFoundation
package import Foundation
import GRDB

/// A row of a like, a share or a bookmark.
package struct InteractionRow: OutboxOperation {
    package let rowID: Int64
    package let postID: Int64
    package let action: InteractionAction
    package let failureCount: Int

    package var id: String { "\(rowID)" }

    init(_ row: Row) throws {
        guard let action = InteractionAction(rawValue: row["action"]) else { throw OutboxRowError.unknownAction }
        self.action = action
        rowID = row["id"]
        postID = row["postId"]
        failureCount = row["failureCount"]
    }
}

enum OutboxRowError: Error {
    case unknownAction
}

/// The outbox table `UserInteractions`: in order, pairs of like and unlike included; interactions that waited together
/// are sent in one request.
package final class InteractionTable: OutboxTable {
    package let name = "interactions"
    private static let pending = "status IN ('pending', 'failed')"
    private static let query = OutboxQuery(
        table: "UserInteractions", lane: "userId", order: "id", pending: pending)

    private let database: AppDatabase
    private let api: FeedAPI
    private let databaseID: String
    private let acknowledged: @Sendable ([PostCounters]) async -> Void
    private let postIsGone: @Sendable (Int64) async throws -> Void

    init(
        _ database: AppDatabase, api: FeedAPI, databaseID: String,
        acknowledged: @escaping @Sendable ([PostCounters]) async -> Void,
        postIsGone: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.database = database
        self.api = api
        self.databaseID = databaseID
        self.acknowledged = acknowledged
        self.postIsGone = postIsGone
    }

    /// Adds a row; call ``Outbox/changed(_:)`` afterwards.
    ///
    /// - Parameter shareCount: the post's share count after a share.
    /// - Returns: the row's id, and the request id.
    func add(
        _ action: InteractionAction, on post: Int64, by user: String, shareCount: Int? = nil
    ) async throws -> (id: Int64, requestID: String) {
        let id = try await database.write { db in
            let now = Date()
            try db.execute(
                sql: """
                    INSERT INTO UserInteractions (postId, userId, action, shareCount, createdAt, updatedAt)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """, arguments: [post, user, action.rawValue, shareCount, now, now])
            return db.lastInsertedRowID
        }
        return (id, requestID(id))
    }

    private func requestID(_ row: Int64) -> String { "\(databaseID)-\(row)" }

    /// Returns the interactions to apply over the server's values.
    static func pendingInteractions(_ db: Database) throws -> PendingInteractions {
        var actions: [Int64: [InteractionAction]] = [:]
        var shareCounts: [Int64: Int] = [:]
        let rows = try Row.fetchCursor(
            db, sql: "SELECT postId, action, shareCount FROM UserInteractions WHERE \(pending) ORDER BY id")
        while let row = try rows.next() {
            if let action = InteractionAction(rawValue: row["action"]) {
                actions[row["postId"], default: []].append(action)
            }
            if let count: Int = row["shareCount"] { shareCounts[row["postId"]] = count }
        }
        return PendingInteractions(actions, shareCounts: shareCounts)
    }

    /// Cancels all operations on a deleted post.
    static func cancelAll(on post: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE UserInteractions SET status = 'canceled', updatedAt = ? WHERE postId = ? AND \(pending)",
            arguments: [Date(), post])
        try FailedRows.trim("UserInteractions", db)
    }

    package func lanes(
        excluding lanes: Set<String>, limit: Int, batchLimit: Int
    ) async throws -> [OutboxLane<InteractionRow>] {
        try await database.read { db in
            try Self.query.lanes(
                db, excluding: lanes, limit: limit, batchLimit: batchLimit, operation: InteractionRow.init)
        }
    }

    package struct Taken: Sendable {
        let counters: [PostCounters]
        /// Deleted posts; their operations were cancelled already.
        let gone: Set<Int64>
    }

    package func send(_ operations: [InteractionRow]) async throws -> Taken {
        if operations.count == 1, let operation = operations.first {
            do {
                let counters = try await api.interact(
                    operation.action, on: operation.postID, requestID: requestID(operation.rowID))
                return Taken(counters: [counters], gone: [])
            } catch {
                if error.isOfMissingPost { try await postIsGone(operation.postID) }
                throw error
            }
        }
        let answer = try await api.interact(operations.map { ($0.action, $0.postID, requestID($0.rowID)) })
        for post in answer.gone { try await postIsGone(post) }
        return Taken(counters: answer.counters.map(\.model), gone: Set(answer.gone))
    }

    /// First shows the server's values and then removes the rows, so that the visible values do not change in between.
    package func recordSuccess(_ operations: [InteractionRow], response: Taken) async throws {
        await acknowledged(response.counters)
        let ids = operations.filter { !response.gone.contains($0.postID) }.map(\.rowID)
        try await database.write { db in
            for id in ids { try db.execute(sql: "DELETE FROM UserInteractions WHERE id = ?", arguments: [id]) }
        }
    }

    package func recordFailure(
        _ operations: [InteractionRow], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws {
        try await setStatus(of: operations, "failed", failureCount)
    }

    package func recordCancellation(_ operations: [InteractionRow], failure: OutboxFailure) async throws {
        try await setStatus(of: operations, "canceled", nil)
    }

    private func setStatus(of operations: [InteractionRow], _ status: String, _ count: Int?) async throws {
        let ids = operations.map(\.rowID)
        try await database.write { db in
            for id in ids {
                try db.execute(
                    sql: """
                        UPDATE UserInteractions SET status = ?, updatedAt = ?,
                            failureCount = coalesce(?, failureCount + 1) WHERE id = ? AND status != 'canceled'
                        """, arguments: [status, Date(), count, id])
            }
            try FailedRows.trim("UserInteractions", db)
        }
    }
}
