package import Foundation
import GRDB

/// Posts that appear later. Whoever asks for the feed when one is due finds it there.
extension FeedBackend {
    func addScheduleRoutes(to routes: inout BackendRoutes) {
        routes.add("GET /v1/scheduled") { [self] _, user in
            try await publishDue()
            let posts = try await database.queue.read { db in
                try Row.fetchAll(
                    db, sql: "SELECT * FROM scheduledPost WHERE authorId = ? ORDER BY publishAt, id",
                    arguments: [user.id]
                ).map { row in
                    ScheduledPostsAnswer.Post(
                        scheduledId: row["id"], content: try Self.post(row).content,
                        publishAt: Date(timeIntervalSince1970: Double(row["publishAt"] as Int64) / 1_000))
                }
            }
            return try .json(ScheduledPostsAnswer(scheduled: posts))
        }
        routes.add("DELETE /v1/scheduled/:id") { [self] request, user in
            let id = try request.id("id")
            return try await database.queue.write { db in
                try db.execute(
                    sql: "DELETE FROM scheduledPost WHERE id = ? AND authorId = ?", arguments: [id, user.id])
                guard db.changesCount > 0 else { throw BackendRefusal(404, "there is no such scheduled post") }
                return BackendResponse(status: 204)
            }
        }
    }

    /// Keeps a post for later, once, however often its request comes.
    ///
    /// - Returns: its id in the schedule; `nil` when it has appeared already.
    func schedule(_ post: NewPost, at publishAt: Date, by user: BackendUser) async throws -> Int64? {
        try await database.queue.write { [self] db in
            let (request, author) = (post.requestId, user.id)
            let isThere = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM post WHERE authorId = ? AND requestId = ?)",
                arguments: [author, request])
            guard isThere != true else { return nil }
            try db.execute(
                sql: "INSERT OR IGNORE INTO scheduledPost VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    database.makeID(), author, request,
                    String(decoding: try BackendJSON.encoder.encode(post), as: UTF8.self),
                    Int64(publishAt.timeIntervalSince1970 * 1_000),
                ])
            return try Int64.fetchOne(
                db, sql: "SELECT id FROM scheduledPost WHERE authorId = ? AND requestId = ?",
                arguments: [author, request])
        }
    }

    /// Lets the posts appear whose time has come.
    ///
    /// - Parameter time: what counts as now.
    package func publishDue(at time: Date = Date()) async throws {
        let now = Int64(time.timeIntervalSince1970 * 1_000)
        let isAnyDue = try await database.queue.read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM scheduledPost WHERE publishAt <= ?)", arguments: [now])
        }
        guard isAnyDue == true else { return }
        try await database.queue.write { [self] db in
            let due = try Row.fetchAll(
                db,
                sql: """
                    SELECT scheduledPost.id AS scheduledId, post, user.* FROM scheduledPost
                    JOIN user ON user.id = authorId WHERE publishAt <= ? ORDER BY publishAt, scheduledPost.id
                    """, arguments: [now])
            for row in due {
                _ = try create(try Self.post(row), by: BackendUser(row: row), as: .published, db)
                try db.execute(sql: "DELETE FROM scheduledPost WHERE id = ?", arguments: [row["scheduledId"] as Int64])
            }
        }
    }

    private static func post(_ row: Row) throws -> NewPost {
        try BackendJSON.decoder.decode(NewPost.self, from: Data((row["post"] as String).utf8))
    }
}
