package import AppFoundation
package import Foundation
import GRDB
package import PaginatorCore
import PaginatorLists
import RichText

/// The user's actions: each is first a row of the outbox, and is shown at once.
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
            repository.database, api: repository.api, folder: folder,
            published: { [weak repository] request, detail, id in
                // Its time passed before it was sent.
                if request.publishAt != nil { repository?.loadNew() }
                shown.settle(request, as: detail.map { Post($0) } ?? request.preview(by: author, id: id))
            },
            givingUp: { request in
                // It stands among the failed posts.
                shown.settle(request, as: nil)
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
        // The gates are closed from the start if necessary, because the outbox reads its rows at once.
        var closedGates: OutboxGates = []
        if !isSignedIn { closedGates.insert(.signedOut) }
        if !environment.state.isOnline { closedGates.insert(.offline) }
        if environment.state.lifecycle != .foreground { closedGates.insert(.background) }
        outbox = Outbox(
            [.init(interactions, policy: batches), .init(posts, policy: uploads), .init(commentTable, policy: policy)],
            closedGates: closedGates, observer: { [log = options.log] in log?(.sync, .info, "outbox: \($0.summary)") })
        outbox.follow(environment)
    }

    /// Shows the unsent posts of an earlier run.
    func showWaitingPosts() async throws {
        for request in try await repository.database.read(PostRequestTable.all) where !request.isCanceled {
            show(request)
        }
    }

    private func show(_ request: PostRequest) {
        guard request.publishAt == nil else { return }
        shown.add(request) { repository.list.edits.beginInsert(request.preview(by: repository.author)) }
    }

    /// Adds an interaction other than a share.
    ///
    /// - Returns: the request id.
    @discardableResult
    package func interact(_ action: InteractionAction, on post: Int64) async throws -> String {
        let row = try await interactions.add(action, on: post, by: user)
        outbox.changed(interactions.name)
        return row.requestID
    }

    /// Adds a share, which counts at once.
    ///
    /// - Parameter count: the number of shares that the user sees.
    /// - Returns: the request id.
    @discardableResult
    package func share(_ post: Int64, seeing count: Int) async throws -> String {
        let row = try await interactions.add(.shared, on: post, by: user, shareCount: count + 1)
        outbox.changed(interactions.name)
        return row.requestID
    }

    /// Adds a post, which appears at once, or at a time of the server's clock.
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

    /// Sends a failed post again.
    package func resend(_ request: PostRequest) async throws {
        guard try await posts.resend(request.requestID, forget: { [shown] in shown.rollBack(request) }) else { return }
        show(request)
        outbox.changed(posts.name)
    }

    /// Discards an unsent post, even during its upload.
    package func discard(_ request: PostRequest) async throws {
        let uploads = try await posts.withdraw(request)
        outbox.stop(lane: "posts", of: posts.name)
        shown.rollBack(request)
        // Nobody waits for the server.
        Task { [posts] in await posts.discard(uploads: uploads) }
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

    /// Sends a failed comment again.
    package func resend(_ request: CommentRequest) async throws {
        guard try await commentTable.resend(request, forget: { [shown] in shown.forget(request) }) else { return }
        show(request)
        outbox.changed(commentTable.name)
    }

    /// Discards a failed comment.
    package func discard(_ request: CommentRequest) async throws { try await commentTable.discard(request) }

    /// Shows the waiting comments on a post in a list that was created after them.
    package func showWaitingComments(on post: Int64) async throws {
        let waiting = try await repository.database.read { try CommentTable.pending(on: post, $0) }
        for request in waiting { show(request) }
    }

    private func show(_ request: CommentRequest) {
        let edits = comments.edits(id: { $0.id })
        let comment = request.preview(by: repository.author)
        shown.add(request) { edits.beginInsert(comment, scope: request.scope.text) }
    }

    /// Returns the number of failed likes, shares, bookmarks and comments that are still stored.
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

    /// Returns the number of waiting operations.
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
    /// Creates the preview of a detail.
    init(_ detail: PostDetail) {
        self.init(
            id: detail.id, summary: RichText(html: detail.content).summary(), author: detail.author,
            createdAt: detail.createdAt, isLiked: detail.isLiked, likeCount: detail.likeCount,
            commentCount: detail.commentCount, attachmentCount: detail.attachments.count,
            previewImagePath: detail.attachments.first?.previewImagePath, shareCount: detail.shareCount)
    }
}
