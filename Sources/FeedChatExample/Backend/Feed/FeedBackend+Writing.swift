import Foundation
import GRDB
import RichText

extension FeedBackend {
    func addWritingRoutes(to routes: inout BackendRoutes) {
        routes.add("POST /v1/posts") { [self] request, user in
            let post: NewPost = try request.decoded()
            if let publishAt = post.publishAt, let id = try await schedule(post, at: publishAt, by: user) {
                return BackendResponse(status: 202, headers: ["Location": "/v1/scheduled/\(id)"])
            }
            let id = try await database.queue.write { [self] db in
                try create(post, by: user, in: request.session, db)
            }
            return BackendResponse(status: 201, headers: ["Location": "/v1/posts/\(id)"])
        }
        routes.add("PUT /v1/posts/:id") { [self] request, user in
            let (id, change) = (try request.id("id"), try request.decoded(ChangedPost.self))
            return try await database.queue.write { [self] db in
                let row = try Row.post(db, id)
                guard row["authorId"] == user.id else { throw BackendRefusal(403, "the post is somebody else's") }
                // Unchanged content is accepted, so that a repetition of a request whose answer was lost is no
                // conflict.
                if row["version"] != change.baseVersion, row["content"] != change.content {
                    return try .json(try PostDetailAnswer.fetch(db, id, for: user), status: 409)
                }
                if row["content"] != change.content { try setContent(change.content, of: id, db) }
                return try .json(try PostDetailAnswer.fetch(db, id, for: user))
            }
        }
        routes.add("DELETE /v1/posts/:id") { [self] request, user in
            let id = try request.id("id")
            return try await database.queue.write { [self] db in
                let author = try Int64.fetchOne(db, sql: "SELECT authorId FROM post WHERE id = ?", arguments: [id])
                guard let author else { throw BackendRefusal(404, "there is no such post") }
                guard author == user.id else { throw BackendRefusal(403, "the post is somebody else's") }
                try remove(id, db)
                return BackendResponse(status: 204)
            }
        }
        routes.add("POST /v1/posts/:id/interactions") { [self] request, user in
            let (id, interaction) = (try request.id("id"), try request.decoded(NewInteraction.self))
            return try await database.queue.write { [self] db in
                _ = try Row.post(db, id)
                try take(interaction, of: user, on: id, db)
                return try .json(try PostCountersAnswer.fetch(db, id, for: user), status: 201)
            }
        }
        routes.add("POST /v1/interactions") { [self] request, user in
            let batch = try request.decoded(NewInteractions.self).interactions
            guard (1...100).contains(batch.count) else { throw BackendRefusal(400, "1 to 100 interactions") }
            return try await database.queue.write { [self] db in
                let posts = Set(batch.map(\.postId)).sorted()
                let there = try posts.filter {
                    try Bool.fetchOne(
                        db, sql: "SELECT EXISTS (SELECT 1 FROM post WHERE id = ? AND isDeleted = 0)", arguments: [$0])
                        ?? false
                }
                for one in batch where there.contains(one.postId) {
                    let interaction = NewInteraction(requestId: one.requestId, type: one.type)
                    try take(interaction, of: user, on: one.postId, db)
                }
                return try .json(
                    InteractionsAnswer(
                        counters: try there.map { try PostCountersAnswer.fetch(db, $0, for: user) },
                        gone: posts.filter { !there.contains($0) }))
            }
        }
        routes.add("POST /v1/posts/:id/comments") { [self] request, user in
            let (id, comment) = (try request.id("id"), try request.decoded(NewComment.self))
            guard !comment.content.isEmpty else { throw BackendRefusal(400, "the comment is empty") }
            return try await database.queue.write { [self] db in
                _ = try Row.post(db, id)
                let made = try create(comment, by: user, on: id, db)
                guard let made else { throw BackendRefusal(404, "there is no such comment") }
                let count: Int = try Row.post(db, id)["commentCount"]
                let replies = try made.parentId.flatMap { try CommentAnswer.fetch(db, $0)?.replyCount }
                return try .json(
                    MadeCommentAnswer(comment: made, commentCount: count, threadCount: replies), status: 201)
            }
        }
    }

    // MARK: - Actions of other users, for stories and tests

    /// Changes a post, as its author does on another device.
    package func edit(_ id: Int64, content: String) throws {
        try database.queue.write { [self] db in
            _ = try Row.post(db, id)
            try setContent(content, of: id, db)
        }
    }

    /// Deletes a post, as its author does on another device.
    package func delete(_ id: Int64) throws {
        try database.queue.write { [self] db in
            _ = try Row.post(db, id)
            try remove(id, db)
        }
    }

    /// Adds a post of another user at the head.
    package func add(_ content: String, by author: BackendUser) throws -> Int64 {
        try database.queue.write { [self] db in
            try create(NewPost(requestId: UUID().uuidString, content: content, attachments: nil), by: author, db)
        }
    }

    /// Adds a comment of a user, or a reply to one.
    ///
    /// - Returns: the comment's id.
    @discardableResult
    package func comment(
        _ content: String, on id: Int64, by author: BackendUser, replyingTo parent: Int64? = nil
    ) throws -> Int64 {
        let made = try database.queue.write { [self] db in
            _ = try Row.post(db, id)
            let comment = NewComment(requestId: UUID().uuidString, content: content, parentId: parent)
            return try create(comment, by: author, on: id, db)
        }
        return made?.commentId ?? 0
    }

    /// Returns the effective interactions of a user on posts, in order, with the number of repetitions of each.
    package func interactions(of user: BackendUser) throws -> [TakenInteraction] {
        try database.queue.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM interaction WHERE userId = ? ORDER BY sequence", arguments: [user.id]
            ).map {
                TakenInteraction(
                    requestId: $0["requestId"], postId: $0["postId"], type: $0["type"], repetitions: $0["repetitions"])
            }
        }
    }

    /// Returns the texts of a user's posts, the oldest first.
    package func posts(of user: BackendUser) throws -> [String] {
        try database.queue.read { db in
            try String.fetchAll(
                db, sql: "SELECT content FROM post WHERE authorId = ? AND isDeleted = 0 ORDER BY rank",
                arguments: [user.id])
        }
    }

    /// The likes of a post.
    package func likeCount(of id: Int64) throws -> Int {
        try database.queue.read { try Row.post($0, id)["likeCount"] }
    }

    /// The texts of a post's comments, the oldest first.
    package func comments(on id: Int64) throws -> [String] {
        try database.queue.read { db in
            try String.fetchAll(
                db, sql: "SELECT content FROM comment WHERE postId = ? ORDER BY id", arguments: [id])
        }
    }

    // MARK: - Transactions

    private func setContent(_ content: String, of id: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE post SET content = ?, summary = ?, version = version + 1 WHERE id = ?",
            arguments: [content, RichText(html: content).summary(), id])
        try note(.edited, of: id, db)
    }

    private func remove(_ id: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE post SET isDeleted = 1 WHERE id = ? AND isDeleted = 0", arguments: [id])
        if db.changesCount > 0 { try note(.deleted, of: id, db) }
    }

    /// Refuses an empty post, and one with a file that its author has not uploaded; marks the files as kept.
    static func check(_ post: NewPost, by user: BackendUser, _ db: Database) throws {
        let attachments = post.attachments ?? []
        guard !post.content.isEmpty || !attachments.isEmpty else { throw BackendRefusal(400, "the post is empty") }
        for attachment in attachments {
            guard try name(attachment.contentUrl, of: user.id, type: attachment.type, db) else {
                throw BackendRefusal(400, "an attachment is an upload of one's own")
            }
        }
    }

    /// - Parameter session: the session that made the request, which needs no event; `nil` for none.
    func create(
        _ post: NewPost, by user: BackendUser, as kind: EventKind = .created, in session: Int64? = nil, _ db: Database
    ) throws -> Int64 {
        let known = try Int64.fetchOne(
            db, sql: "SELECT id FROM post WHERE authorId = ? AND requestId = ?", arguments: [user.id, post.requestId])
        if let known { return known }
        try Self.check(post, by: user, db)
        let attachments = post.attachments ?? []
        let id = database.makeID()
        try db.execute(
            sql: """
                INSERT INTO post (id, authorId, requestId, rank, content, summary, createdAt) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, user.id, post.requestId, id, post.content, RichText(html: post.content).summary(),
                Int64(Date().timeIntervalSince1970 * 1_000),
            ])
        for attachment in attachments {
            let preview = attachment.type == "image" ? attachment.contentUrl : nil
            try db.execute(
                sql: """
                    INSERT INTO attachment (id, postId, type, contentUrl, previewImageUrl, caption)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    database.makeID(), id, attachment.type, attachment.contentUrl, preview, attachment.caption,
                ])
        }
        try note(kind, of: id, in: session, db)
        return id
    }

    /// Counts an interaction once for all repetitions of its request; of likes the last one wins.
    private func take(_ interaction: NewInteraction, of user: BackendUser, on id: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE interaction SET repetitions = repetitions + 1 WHERE userId = ? AND requestId = ?",
            arguments: [user.id, interaction.requestId])
        guard db.changesCount == 0 else { return }
        try db.execute(
            sql: "INSERT INTO interaction (userId, requestId, postId, type, sequence) VALUES (?, ?, ?, ?, ?)",
            arguments: [user.id, interaction.requestId, id, interaction.type.rawValue, database.makeID()])
        let marks: StatementArguments = [id, user.id]
        switch interaction.type {
        case .liked:
            try db.execute(sql: "INSERT OR IGNORE INTO postLike VALUES (?, ?)", arguments: marks)
            try Self.count(id, "likeCount", by: db.changesCount, db)
        case .removedLike:
            try db.execute(sql: "DELETE FROM postLike WHERE postId = ? AND userId = ?", arguments: marks)
            try Self.count(id, "likeCount", by: -db.changesCount, db)
        case .shared:
            try Self.count(id, "shareCount", by: 1, db)
        case .bookmarked:
            try db.execute(sql: "INSERT OR IGNORE INTO bookmark VALUES (?, ?)", arguments: marks)
        case .removedBookmark:
            try db.execute(sql: "DELETE FROM bookmark WHERE postId = ? AND userId = ?", arguments: marks)
        }
    }

    private static func count(_ id: Int64, _ column: String, by difference: Int, _ db: Database) throws {
        try db.execute(sql: "UPDATE post SET \(column) = \(column) + ? WHERE id = ?", arguments: [difference, id])
    }

    /// Returns the first comment of a thread; a reply to a reply belongs to the same thread.
    private static func thread(of comment: Int64, on post: Int64, _ db: Database) throws -> Int64 {
        let row = try Row.fetchOne(
            db, sql: "SELECT parentId FROM comment WHERE id = ? AND postId = ?", arguments: [comment, post])
        guard let row else { throw BackendRefusal(400, "there is no such comment on the post") }
        return row["parentId"] ?? comment
    }

    private func create(
        _ comment: NewComment, by user: BackendUser, on id: Int64, _ db: Database
    ) throws -> CommentAnswer? {
        let known = try Int64.fetchOne(
            db, sql: "SELECT id FROM comment WHERE userId = ? AND requestId = ?",
            arguments: [user.id, comment.requestId])
        if let known { return try .fetch(db, known) }
        let made = database.makeID()
        try db.execute(
            sql: """
                INSERT INTO comment (id, postId, userId, requestId, content, createdAt, parentId)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                made, id, user.id, comment.requestId, comment.content, Int64(Date().timeIntervalSince1970 * 1_000),
                try comment.parentId.map { try Self.thread(of: $0, on: id, db) },
            ])
        try Self.count(id, "commentCount", by: 1, db)
        return try .fetch(db, made)
    }
}

/// An interaction that took effect.
package struct TakenInteraction: Sendable, Hashable {
    package let requestId: String
    package let postId: Int64
    package let type: String
    /// The number of repetitions of the same request, without effect.
    package let repetitions: Int
}
