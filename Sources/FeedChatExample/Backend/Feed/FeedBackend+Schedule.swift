package import Foundation
import GRDB

/// Posts that appear later. A request for the feed publishes those that are due.
extension FeedBackend {
    private static var scheduleLimit: Int { 100 }
    private static var longestWait: TimeInterval { 366 * 86_400 }

    func addScheduleRoutes(to routes: inout BackendRoutes) {
        routes.add("GET /v1/scheduled") { [self] _, user in
            try await publishDue()
            let posts = try await database.queue.read { db in
                try Row.fetchAll(
                    db,
                    sql: "SELECT * FROM scheduledPost WHERE authorId = ? AND isCancelled = 0 ORDER BY publishAt, id",
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
                // The row stays, so that a late repetition of the request does not create the post again.
                try db.execute(
                    sql: "UPDATE scheduledPost SET isCancelled = 1 WHERE id = ? AND authorId = ? AND isCancelled = 0",
                    arguments: [id, user.id])
                guard db.changesCount > 0 else { throw BackendRefusal(404, "there is no such scheduled post") }
                try db.execute(
                    sql: """
                        DELETE FROM scheduledPost WHERE isCancelled = 1 AND authorId = ? AND id <= (
                            SELECT id FROM scheduledPost WHERE isCancelled = 1 AND authorId = ?
                            ORDER BY id DESC LIMIT 1 OFFSET ?)
                        """, arguments: [user.id, user.id, Self.scheduleLimit])
                return BackendResponse(status: 204)
            }
        }
    }

    /// Stores a post for later, once for all repetitions of its request.
    ///
    /// - Returns: its id in the schedule, even if it was cancelled; `nil` if it has appeared or must appear at once.
    /// - Throws: a refusal with 400 for a time too far ahead, with 409 if too many posts of the author wait, and those
    ///   of ``check(_:by:_:)``.
    func schedule(_ post: NewPost, at publishAt: Date, by user: BackendUser) async throws -> Int64? {
        return try await database.queue.write { [self] db in
            let (request, author) = (post.requestId, user.id)
            let isThere = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM post WHERE authorId = ? AND requestId = ?)",
                arguments: [author, request])
            guard isThere != true else { return nil }
            let known = try Int64.fetchOne(
                db, sql: "SELECT id FROM scheduledPost WHERE authorId = ? AND requestId = ?",
                arguments: [author, request])
            if let known { return known }
            let wait = publishAt.timeIntervalSinceNow
            guard wait > 0 else { return nil }
            guard wait <= Self.longestWait else { throw BackendRefusal(400, "a post appears within a year") }
            try Self.check(post, by: user, db)
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM scheduledPost WHERE authorId = ? AND isCancelled = 0",
                arguments: [author])
            guard count ?? 0 < Self.scheduleLimit else {
                throw BackendRefusal(409, "\(Self.scheduleLimit) posts wait already")
            }
            let id = database.makeID()
            try db.execute(
                sql: "INSERT INTO scheduledPost (id, authorId, requestId, post, publishAt) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    id, author, request, String(decoding: try BackendJSON.encoder.encode(post), as: UTF8.self),
                    Int64(publishAt.timeIntervalSince1970 * 1_000),
                ])
            return id
        }
    }

    /// Publishes the posts that are due.
    ///
    /// - Parameter time: the current time.
    package func publishDue(at time: Date = Date()) async throws {
        let now = Int64(time.timeIntervalSince1970 * 1_000)
        let isAnyDue = try await database.queue.read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM scheduledPost WHERE publishAt <= ? AND isCancelled = 0)",
                arguments: [now])
        }
        guard isAnyDue == true else { return }
        try await database.queue.write { [self] db in
            let due = try Row.fetchAll(
                db,
                sql: """
                    SELECT scheduledPost.id AS scheduledId, post, user.* FROM scheduledPost
                    JOIN user ON user.id = authorId WHERE publishAt <= ? AND isCancelled = 0
                    ORDER BY publishAt, scheduledPost.id
                    """, arguments: [now])
            for row in due {
                do {
                    _ = try create(try Self.post(row), by: BackendUser(row: row), as: .published, db)
                } catch is BackendRefusal, is DecodingError {
                    // A refused post would be refused forever, and block the posts of all others.
                }
                try db.execute(sql: "DELETE FROM scheduledPost WHERE id = ?", arguments: [row["scheduledId"] as Int64])
            }
        }
    }

    private static func post(_ row: Row) throws -> NewPost {
        try BackendJSON.decoder.decode(NewPost.self, from: Data((row["post"] as String).utf8))
    }
}
