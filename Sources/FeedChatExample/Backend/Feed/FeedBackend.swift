import Foundation
import GRDB
import PaginatorCore

/// The feed part of the backend: posts in the server's order, interactions, comments, uploads, media.
package final class FeedBackend: Sendable {
    let database: BackendDatabase
    private let clientConfig: Guarded<ClientConfigAnswer>
    /// Part of each cursor; cursors of another era have expired.
    private let cursorEra = Guarded(1)
    /// Connections that follow the events of posts.
    let eventListeners = Guarded<[UUID: AsyncStream<Void>.Continuation]>([:])

    init(_ database: BackendDatabase, configuration: BackendConfiguration) throws {
        self.database = database
        clientConfig = Guarded(configuration.clientConfig)
        try DatabaseMigrator.feed.migrate(database.queue)
        let isNew = try database.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM post") == 0 }
        if isNew {
            try PostCorpus(configuration.corpus, count: configuration.corpusSize, seed: configuration.seed).write(
                to: database)
        }
    }

    /// Expires all cursors: their next page is answered with 410.
    package func expireCursors() {
        cursorEra.withLock { $0 += 1 }
    }

    /// Changes the answer of `GET /v1/config`.
    package func setClientConfig(_ change: (inout ClientConfigAnswer) -> Void) {
        clientConfig.withLock { change(&$0) }
    }

    func addRoutes(to routes: inout BackendRoutes) {
        addReadingRoutes(to: &routes)
        addWritingRoutes(to: &routes)
        addScheduleRoutes(to: &routes)
        addProfileRoutes(to: &routes)
        addEventRoute(to: &routes)
        addUploadRoutes(to: &routes)
        addMediaRoutes(to: &routes)
    }

    private func addReadingRoutes(to routes: inout BackendRoutes) {
        routes.addOpen("GET /v1/health") { _ in BackendResponse(status: 204) }
        routes.add("GET /v1/config") { [self] _, _ in try .json(clientConfig.withLock { $0 }) }
        routes.add("GET /v1/feed") { [self] request, user in
            try await publishDue()
            return try await feedPage(request, for: user, filter: "TRUE", arguments: [])
        }
        routes.add("GET /v1/users/:id/posts") { [self] request, user in
            try await feedPage(request, for: user, filter: "authorId = ?", arguments: [try request.id("id")])
        }
        routes.add("GET /v1/search") { [self] request, user in
            let words = (request.query["q"] ?? "").split { !$0.isLetter && !$0.isNumber }
            guard !words.isEmpty else { throw BackendRefusal(400, "q has no word") }
            let match = words.map { "\"\($0)\"*" }.joined(separator: " ")
            return try await feedPage(
                request, for: user, filter: "post.id IN (SELECT rowid FROM postText WHERE postText MATCH ?)",
                arguments: [match])
        }
        routes.add("GET /v1/posts/:id") { [self] request, user in
            let id = try request.id("id")
            return try .json(try await database.queue.read { try PostDetailAnswer.fetch($0, id, for: user) })
        }
        routes.add("GET /v1/posts/:id/comments") { [self] request, _ in
            let id = try request.id("id")
            try await database.queue.read { _ = try Row.post($0, id) }
            return try await commentsPage(request, "postId = ? AND parentId IS NULL", id)
        }
        routes.add("GET /v1/comments/:id/replies") { [self] request, _ in
            try await commentsPage(request, "parentId = ?", try request.id("id"))
        }
    }

    /// Returns a page of comments, the newest first.
    private func commentsPage(_ request: BackendRequest, _ filter: String, _ id: Int64) async throws -> BackendResponse
    {
        let limit = try request.limit()
        let last = try cursor(in: request) ?? .max
        let comments = try await database.queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(CommentAnswer.columns) FROM comment
                    JOIN user ON user.id = comment.userId WHERE \(filter) AND comment.id < ?
                    ORDER BY comment.id DESC LIMIT ?
                    """, arguments: [id, last, limit + 1]
            ).map(CommentAnswer.init)
        }
        let next = comments.count > limit ? makeCursor(comments[limit - 1].commentId) : nil
        return try .json(CommentsAnswer(comments: Array(comments.prefix(limit)), paging: PagingAnswer(next: next)))
    }

    /// Returns a page in rank order, by keyset on the index.
    private func feedPage(
        _ request: BackendRequest, for user: BackendUser, filter: String, arguments: StatementArguments
    ) async throws -> BackendResponse {
        let limit = try request.limit()
        let last = try cursor(in: request) ?? .max
        let (page, lastRank) = try await database.queue.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT post.*, user.name, user.profileImageThumbnailUrl,
                        EXISTS (SELECT 1 FROM postLike WHERE postId = post.id AND userId = ?) AS liked,
                        (SELECT count(*) FROM attachment WHERE postId = post.id) AS attachmentCount,
                        (SELECT previewImageUrl FROM attachment WHERE postId = post.id ORDER BY id LIMIT 1) AS preview
                    FROM post JOIN user ON user.id = post.authorId
                    WHERE isDeleted = 0 AND rank < ? AND \(filter) ORDER BY rank DESC LIMIT ?
                    """, arguments: [user.id, last] + arguments + [limit + 1])
            let lastRank: Int64? = rows.count > limit ? rows[limit - 1]["rank"] : nil
            return (rows.prefix(limit).map(PostPreviewAnswer.init), lastRank)
        }
        let next = lastRank.map(makeCursor)
        return try .json(
            FeedApiResponse(feed: page, paging: PagingAnswer(next: next)), headers: ["Cache-Control": "max-age=300"])
    }

    // MARK: - Cursors

    private func makeCursor(_ value: Int64) -> String {
        Data("\(cursorEra.withLock { $0 })/\(value)".utf8).base64EncodedString()
    }

    /// Parses `after`; `nil` for the first page.
    ///
    /// - Throws: a refusal with 410 for an expired cursor, and with 400 for an invalid one.
    private func cursor(in request: BackendRequest) throws -> Int64? {
        guard let text = request.query["after"], !text.isEmpty else { return nil }
        let parts = Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self).split(separator: "/") } ?? []
        guard parts.count == 2, let era = Int(parts[0]), let value = Int64(parts[1]) else {
            throw BackendRefusal(400, "after is no cursor")
        }
        guard era == cursorEra.withLock({ $0 }) else { throw BackendRefusal(410, "the cursor has run out") }
        return value
    }
}
