package import AppFoundation
import Foundation
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
        comments: CallbackPaginator<Comment>, environment: AppEnvironment, isSignedIn: Bool
    ) {
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
                repository?.changes.send(PostChange(postID: counters.postID, kind: .counters(counters)))
            }, postIsGone: gone)
        let author = repository.author
        posts = PostRequestTable(
            repository.database, api: repository.api, folder: folder.appending(path: "uploads"),
            published: { request, detail, id in
                shown.commit(request, as: detail.map { Post($0) } ?? request.preview(by: author, id: id))
            })
        commentTable = CommentTable(
            repository.database, api: repository.api,
            settled: { [weak repository] request, comment in
                shown.settle(request, as: comment)
                if comment != nil {
                    repository?.changes.send(PostChange(postID: request.postID, kind: .commented))
                }
            }, postIsGone: gone)
        var policy = OutboxPolicy()
        policy.attemptLimit = min(max(config.retry.attemptLimit, 1), 100)
        policy.backoffBase = .milliseconds(min(max(config.retry.backoffBaseMilliseconds, 1), 60_000))
        policy.backoffCap = .milliseconds(min(max(config.retry.backoffCapMilliseconds, 1), 600_000))
        var uploads = policy
        uploads.timeout = .seconds(120)
        // Closed from the beginning where it has to be: it looks for rows at once.
        var closedGates: OutboxGates = []
        if !isSignedIn { closedGates.insert(.signedOut) }
        if !environment.state.isOnline { closedGates.insert(.offline) }
        if environment.state.lifecycle != .foreground { closedGates.insert(.background) }
        outbox = Outbox(
            [.init(interactions, policy: policy), .init(posts, policy: uploads), .init(commentTable, policy: policy)],
            closedGates: closedGates)
        outbox.follow(environment)
    }

    /// Shows the posts of an earlier run that the server has not taken.
    func showWaitingPosts() async throws {
        for request in try await repository.database.read(PostRequestTable.all) where !request.isCanceled {
            show(request)
        }
    }

    private func show(_ request: PostRequest) {
        shown.add(request, repository.list.edits.beginInsert(request.preview(by: repository.author)))
    }

    /// Adds an interaction.
    ///
    /// - Returns: the id that the server will know it by.
    @discardableResult
    package func interact(_ action: InteractionAction, on post: Int64) async throws -> String {
        let row = try await interactions.add(action, on: post, by: user)
        outbox.changed(interactions.name)
        return row.requestID
    }

    /// Adds a post.
    @discardableResult
    package func publish(_ content: String, attachments: [NewAttachment]) async throws -> PostRequest {
        let request = try await posts.add(content, attachments: attachments, requestID: ids.next())
        show(request)
        outbox.changed(posts.name)
        return request
    }

    /// Sends a post that was given up once more.
    package func resend(_ request: PostRequest) async throws {
        try await posts.resend(request.requestID)
        shown.rollBack(request)
        show(request)
        outbox.changed(posts.name)
    }

    /// Takes a post back that the server has not taken, also in the middle of its upload.
    package func discard(_ request: PostRequest) async throws {
        try await posts.discard(request)
        outbox.stop(lane: "posts", of: posts.name)
        shown.rollBack(request)
    }

    /// Adds a comment.
    @discardableResult
    package func comment(_ content: String, on post: Int64) async throws -> CommentRequest {
        let request = try await commentTable.add(content, on: post, requestID: ids.next())
        show(request)
        outbox.changed(commentTable.name)
        return request
    }

    /// Shows the comments on a post that wait, in a list that was made after they were written.
    func showWaitingComments(on post: Int64) async throws {
        let waiting = try await repository.database.read { try CommentTable.pending(on: post, $0) }
        for request in waiting {
            shown.settle(request, as: nil)
            show(request)
        }
    }

    private func show(_ request: CommentRequest) {
        let edits = comments.edits(id: { $0.id })
        let comment = request.preview(by: repository.author)
        shown.add(request, edits.beginInsert(comment, scope: "\(request.postID)"))
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

/// The rows that lists show before the server has them, by their requests.
final class ShownRows: Sendable {
    private let posts = Guarded<[String: PaginatorEdit<Post>]>([:])
    private let comments = Guarded<[String: PaginatorEdit<Comment>]>([:])

    func add(_ request: PostRequest, _ edit: PaginatorEdit<Post>) {
        posts.withLock { $0[request.requestID] = edit }
    }

    /// The row takes the server's id and values; it is never shown twice.
    func commit(_ request: PostRequest, as post: Post) {
        posts.withLock { $0.removeValue(forKey: request.requestID) }?.commit(with: post)
    }

    func rollBack(_ request: PostRequest) {
        posts.withLock { $0.removeValue(forKey: request.requestID) }?.rollBack()
    }

    func add(_ request: CommentRequest, _ edit: PaginatorEdit<Comment>) {
        comments.withLock { $0[request.requestID] = edit }
    }

    func settle(_ request: CommentRequest, as comment: Comment?) {
        let edit = comments.withLock { $0.removeValue(forKey: request.requestID) }
        if let comment { edit?.commit(with: comment) } else { edit?.rollBack() }
    }
}

extension Post {
    /// The preview of a detail.
    init(_ detail: PostDetail) {
        self.init(
            id: detail.id, summary: RichText(html: detail.content).summary(), author: detail.author,
            createdAt: detail.createdAt, isLiked: detail.isLiked, likeCount: detail.likeCount,
            commentCount: detail.commentCount, attachmentCount: detail.attachments.count,
            previewImagePath: detail.attachments.first?.previewImagePath)
    }
}
