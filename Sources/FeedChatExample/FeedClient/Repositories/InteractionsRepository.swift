package import AppFoundation
package import Foundation
import GRDB
package import PaginatorCore
import PaginatorLists
import RichText

/// What the user does: every write is a row of the outbox first, and shows at once.
package final class InteractionsRepository: Sendable {
    package let outbox: Outbox
    package let comments: CallbackPaginator<Comment>

    private let interactions: InteractionTable
    private let posts: PostRequestTable
    private let commentTable: CommentTable
    private let repository: PostsRepository
    private let ids = RequestIDs()
    private let user: String
    private let shown: ShownRows

    init(
        _ repository: PostsRepository, databaseID: String, user: String, folder: URL, config: FeedConfig,
        comments: CallbackPaginator<Comment>, environment: AppEnvironment, isSignedIn: Bool,
        options: FeedOptions
    ) {
        let notify = options.notify
        let texts: @Sendable () -> AppTexts = { environment.texts }
        self.repository = repository
        self.user = user
        self.comments = comments
        let shown = ShownRows()
        self.shown = shown
        let gone: @Sendable (Int64) async throws -> Void = { [weak repository] id in
            try await repository?.postIsGone(id)
        }
        interactions = InteractionTable(
            repository.database, api: repository.api, databaseID: databaseID,
            acknowledged: { [weak repository] counters in
                await repository?.show(counters.map { PostChange(postID: $0.postID, kind: .counters($0)) })
            }, postIsGone: gone)
        let author = repository.author
        posts = PostRequestTable(
            repository.database, api: repository.api, folder: folder.appending(path: "uploads"),
            published: { [weak repository] request, detail, id in
                // Its time has passed before it was sent.
                if request.publishAt != nil { repository?.loadNew() }
                shown.commit(request, as: detail.map { Post($0) } ?? request.preview(by: author, id: id))
            }, gaveUp: { notify(.postNotSent($0, texts())) })
        commentTable = CommentTable(
            repository.database, api: repository.api,
            settled: { [weak repository] request, made in
                shown.settle(request, as: made?.comment)
                if let made {
                    if let parent = request.parentID, let count = made.countInThread {
                        comments.edits(id: { $0.id }).update(parent) { comment in
                            var comment = comment
                            comment.replyCount = max(comment.replyCount, count)
                            return comment
                        }
                    }
                    repository?.changes.send(
                        PostChange(postID: request.postID, kind: .commented(count: made.countOnPost)))
                }
            }, gaveUp: { notify(.commentNotSent($0, texts())) }, postIsGone: gone)
        var policy = OutboxPolicy()
        policy.attemptLimit = min(max(config.retry.attemptLimit, 1), 100)
        policy.backoffBase = .milliseconds(min(max(config.retry.backoffBaseMilliseconds, 1), 60_000))
        policy.backoffCap = .milliseconds(min(max(config.retry.backoffCapMilliseconds, 1), 600_000))
        var uploads = policy
        uploads.timeout = .seconds(120)
        var batches = policy
        batches.batchLimit = 50
        // Closed from the beginning where it has to be: it looks for rows at once.
        var closedGates: OutboxGates = []
        if !isSignedIn { closedGates.insert(.signedOut) }
        if !environment.state.isOnline { closedGates.insert(.offline) }
        if environment.state.lifecycle != .foreground { closedGates.insert(.background) }
        outbox = Outbox(
            [.init(interactions, policy: batches), .init(posts, policy: uploads), .init(commentTable, policy: policy)],
            closedGates: closedGates, observer: { [log = options.log] in log?(.sync, .info, "outbox: \($0.summary)") })
        outbox.follow(environment)
    }

    /// Shows the posts of an earlier run that the server has not taken.
    func showWaitingPosts() async throws {
        for request in try await repository.database.read(PostRequestTable.all) where !request.isCanceled {
            show(request)
        }
    }

    private func show(_ request: PostRequest) {
        guard request.publishAt == nil else { return }
        shown.add(request) { repository.list.edits.beginInsert(request.preview(by: repository.author)) }
    }

    /// Adds an interaction that is no share.
    ///
    /// - Returns: the id that the server will know it by.
    @discardableResult
    package func interact(_ action: InteractionAction, on post: Int64) async throws -> String {
        let row = try await interactions.add(action, on: post, by: user)
        outbox.changed(interactions.name)
        return row.requestID
    }

    /// Adds a share, which counts at once.
    ///
    /// - Parameter count: how many shares the user sees.
    /// - Returns: the id that the server will know it by.
    @discardableResult
    package func share(_ post: Int64, seeing count: Int) async throws -> String {
        let row = try await interactions.add(.shared, on: post, by: user, shareCount: count + 1)
        outbox.changed(interactions.name)
        return row.requestID
    }

    /// Adds a post, which appears at once, or when the server's clock has come to a time.
    @discardableResult
    package func publish(
        _ content: String, attachments: [NewAttachment], at publishAt: Date? = nil
    ) async throws -> PostRequest {
        let request = try await posts.add(
            content, attachments: attachments, publishAt: publishAt, requestID: ids.next())
        show(request)
        outbox.changed(posts.name)
        return request
    }

    /// Sends a post that was given up once more.
    package func resend(_ request: PostRequest) async throws {
        shown.rollBack(request)
        guard try await posts.resend(request.requestID) else { return }
        show(request)
        outbox.changed(posts.name)
    }

    /// Takes a post back that the server has not taken, also in the middle of its upload.
    package func discard(_ request: PostRequest) async throws {
        try await posts.discard(request)
        outbox.stop(lane: "posts", of: posts.name)
        shown.rollBack(request)
    }

    /// Adds a comment, or a reply to one.
    @discardableResult
    package func comment(
        _ content: String, on post: Int64, replyingTo parent: Int64? = nil
    ) async throws -> CommentRequest {
        let request = try await commentTable.add(content, on: post, replyingTo: parent, requestID: ids.next())
        show(request)
        outbox.changed(commentTable.name)
        return request
    }

    /// Sends a comment that was given up once more.
    package func resend(_ request: CommentRequest) async throws {
        shown.forget(request)
        guard try await commentTable.resend(request) else { return }
        show(request)
        outbox.changed(commentTable.name)
    }

    /// Forgets a comment that was given up.
    package func discard(_ request: CommentRequest) async throws { try await commentTable.discard(request) }

    /// Shows the comments on a post that wait, in a list that was made after they were written.
    package func showWaitingComments(on post: Int64) async throws {
        let waiting = try await repository.database.read { try CommentTable.pending(on: post, $0) }
        for request in waiting { show(request) }
    }

    private func show(_ request: CommentRequest) {
        let edits = comments.edits(id: { $0.id })
        let comment = request.preview(by: repository.author)
        shown.add(request) { edits.beginInsert(comment, scope: request.scope.text) }
    }

    /// How many likes, shares, bookmarks and comments were given up and are still kept.
    package func givenUpCount() async throws -> Int {
        try await repository.database.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM UserInteractions WHERE status = 'canceled')
                        + (SELECT count(*) FROM CommentRequests WHERE status = 'canceled')
                    """) ?? 0
        }
    }

    /// How many operations wait.
    package func waitingCount() async throws -> Int {
        try await repository.database.read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM UserInteractions WHERE status IN ('pending', 'failed'))
                        + (SELECT count(*) FROM PostRequests WHERE state IN ('pending', 'failed'))
                        + (SELECT count(*) FROM CommentRequests WHERE status IN ('pending', 'failed'))
                    """) ?? 0
        }
    }
}

extension Post {
    /// The preview of a detail.
    init(_ detail: PostDetail) {
        self.init(
            id: detail.id, summary: RichText(html: detail.content).summary(), author: detail.author,
            createdAt: detail.createdAt, isLiked: detail.isLiked, likeCount: detail.likeCount,
            commentCount: detail.commentCount, attachmentCount: detail.attachments.count,
            previewImagePath: detail.attachments.first?.previewImagePath, shareCount: detail.shareCount)
    }
}
