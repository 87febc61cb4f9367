import AppFoundation
import Foundation
import GRDB
import PaginatorTesting

/// Pending likes in a real database, and a server in memory.
final class PendingLikes: OutboxTable {
    struct Like: OutboxOperation {
        let rowid: Int64
        let post: String
        let failureCount: Int
        var id: String { "like-\(rowid)" }
    }

    struct Server: Sendable {
        /// The ids that had their effect, and the calls, in order.
        var effects: [String] = []
        var calls: [String] = []
        var failures: [String: [OutboxFailure]] = [:]
        /// Calls that do not end before they are cancelled.
        var stalls: Set<String> = []
    }

    static let migrations = [
        AppDatabase.Migration("likes") { database in
            try database.execute(
                sql: """
                    CREATE TABLE Likes(id INTEGER PRIMARY KEY AUTOINCREMENT, post TEXT NOT NULL,
                        status TEXT NOT NULL DEFAULT 'pending', failureCount INTEGER NOT NULL DEFAULT 0, due REAL);
                    CREATE TABLE Posts(id TEXT PRIMARY KEY, likes INTEGER NOT NULL)
                    """)
        }
    ]
    private static let query = OutboxQuery(table: "Likes", lane: "post", order: "id", notBefore: "due")

    let name = "likes"
    let database: AppDatabase
    let server = Handshake(Server())

    init(_ database: AppDatabase) {
        self.database = database
    }

    func add(_ posts: String...) async throws {
        try await database.write { database in
            for post in posts { try database.execute(sql: "INSERT INTO Likes(post) VALUES (?)", arguments: [post]) }
        }
    }

    /// The rows, as post, status and failures.
    func rows() async throws -> [String] {
        try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM Likes ORDER BY id").map {
                "\($0["post"] as String) \($0["status"] as String) \($0["failureCount"] as Int)"
            }
        }
    }

    func likes(of post: String) async throws -> Int {
        try await database.read {
            try Int.fetchOne($0, sql: "SELECT likes FROM Posts WHERE id = ?", arguments: [post]) ?? 0
        }
    }

    // MARK: OutboxTable

    func lanes(excluding lanes: Set<String>, limit: Int, batchLimit: Int) async throws -> [OutboxLane<Like>] {
        try await database.read { database in
            try Self.query.lanes(database, excluding: lanes, limit: limit, batchLimit: batchLimit) { row in
                Like(rowid: row["id"], post: row["post"], failureCount: row["failureCount"])
            }
        }
    }

    func send(_ operations: [Like]) async throws -> Int {
        let stalls = server.update { server in
            server.calls += operations.map(\.id)
            return operations.contains { server.stalls.contains($0.id) }
        }
        if stalls {
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            for await _ in stream {}
            continuation.finish()
        }
        let failure = server.update { server -> OutboxFailure? in
            for like in operations {
                if let failure = server.failures[like.id]?.first {
                    server.failures[like.id]?.removeFirst()
                    return failure
                }
                if !server.effects.contains(like.id) { server.effects.append(like.id) }
            }
            return nil
        }
        if let failure { throw failure }
        return operations.count
    }

    func recordSuccess(_ operations: [Like], response: Int) async throws {
        try await database.write { database in
            for like in operations {
                try database.execute(sql: "DELETE FROM Likes WHERE id = ?", arguments: [like.rowid])
                try database.execute(
                    sql: """
                        INSERT INTO Posts VALUES (?, 1) ON CONFLICT(id) DO UPDATE SET likes = likes + 1
                        """, arguments: [like.post])
            }
        }
    }

    func recordFailure(
        _ operations: [Like], failureCount: Int, notBefore: Date, failure: OutboxFailure
    ) async throws {
        try await database.write { database in
            for like in operations {
                try database.execute(
                    sql: "UPDATE Likes SET failureCount = ?, due = ? WHERE id = ?",
                    arguments: [failureCount, notBefore.timeIntervalSince1970, like.rowid])
            }
        }
    }

    func recordCancellation(_ operations: [Like], failure: OutboxFailure) async throws {
        try await database.write { database in
            for like in operations {
                try database.execute(
                    sql: "UPDATE Likes SET status = 'canceled' WHERE id = ?", arguments: [like.rowid])
            }
        }
    }
}
