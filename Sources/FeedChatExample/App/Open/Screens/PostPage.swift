import AppFoundation
import FeedClient
import Foundation
import RichText

/// One post with its comments as the page draws it.
@MainActor final class PostPage: AppScreen {
    let kind = "post"
    private let holder: PostDetailStateHolder
    private let user: String

    init(_ model: AppModel, post: Int64, changed: @escaping @MainActor () -> Void) async throws {
        holder = model.feedCoordinator.makeDetail(post)
        user = model.feed.user.id
        holder.onChange { _ in changed() }
        try await holder.start()
    }

    var state: AppJSON { PostProjection.state(holder.state, user: user) }
    var rows: [AppRow]? { PostProjection.rows(holder.state, user: user) }

    func visible(_ rows: Range<Int>) async {
        let state = holder.state
        guard rows.upperBound + 5 >= state.comments.count, !state.isPagingComments, state.commentsProblem == nil else {
            return
        }
        if state.hasMoreComments { holder.loadMoreComments() }
    }

    func perform(_ intent: AppIntent) async throws -> Bool {
        switch (intent.what, intent.row?.content) {
        case ("like", _): try await holder.toggleLike()
        case ("bookmark", _): try await holder.toggleBookmark()
        case ("share", _): try await holder.share()
        case ("send", _) where intent.text.isEmpty: break
        case ("send", _):
            if case .comment(let comment, _)? = row(intent.message["to"])?.content {
                try await holder.reply(intent.text, to: comment)
            } else {
                try await holder.comment(intent.text)
            }
        // What is being written about a post is kept by nobody.
        case ("draft", _): break
        case ("thread", .comment(let comment, _)?):
            if holder.state.threads[comment.id] == nil {
                holder.openThread(comment.id)
            } else {
                holder.closeThread(comment.id)
            }
        case ("retry", .failedComment(let request, _)?): try await holder.resend(request)
        case ("discard", .failedComment(let request, _)?): try await holder.discard(request)
        case ("refresh", _): holder.refresh()
        case ("retry", _): retry()
        case ("older", _): holder.loadMoreComments()
        default: return false
        }
        return true
    }

    private func retry() {
        holder.retry()
        for (comment, thread) in holder.state.threads where thread.problem != nil { holder.retryThread(comment) }
    }

    private func row(_ id: AppJSON?) -> AppRow? {
        id?.string.flatMap { id in rows?.first { $0.id == id } }
    }
}

/// Why something was not done: a sentence for the page.
struct AppIntentError: Error {
    let text: String
}

extension EditOutcome {
    /// Says it to the page where an edit did not come to the server.
    func check() throws {
        switch self {
        case .saved: break
        case .conflict: throw AppIntentError(text: "Somebody has changed this meanwhile.")
        case .gone: throw AppIntentError(text: "This is not there any more.")
        case .offline: throw AppIntentError(text: "The server cannot be reached.")
        }
    }
}

enum PostProjection {
    static func rows(_ state: PostDetailState, user: String) -> [AppRow] {
        guard let post = state.post else { return state.isLoading ? AppRow.placeholders("post", count: 1) : [] }
        let failed = state.failedComments.map { comment in
            AppRow(
                id: "f\(comment.requestID)", content: .failedComment(comment, state.texts.notSent(comment.content)))
        }
        return [AppRow(id: "p\(post.id)", content: .detail(post, state.text))] + failed
            + state.comments.flatMap { rows($0, state.threads[$0.id], user) }
            + AppRow.footer(
                isPaging: state.isPagingComments, isAtEnd: false,
                error: state.commentsProblem.map(state.texts.message), state.texts)
    }

    /// A comment, and the replies to it where they are open.
    private static func rows(_ comment: Comment, _ thread: CommentThread?, _ user: String) -> [AppRow] {
        func row(_ comment: Comment, isOpen: Bool, parent: String?) -> AppRow {
            AppRow(
                id: "c\(comment.id)",
                content: .comment(
                    comment, .init(isMine: "\(comment.author.id)" == user, isOpen: isOpen, parent: parent)))
        }
        return [row(comment, isOpen: thread != nil, parent: nil)]
            + (thread?.replies ?? []).map { row($0, isOpen: false, parent: "c\(comment.id)") }
    }

    static func state(_ state: PostDetailState, user: String) -> AppJSON {
        .members([
            "title": .string(state.texts.post), "post": state.post.map { .string("p\($0.id)") },
            "gone": .bool(state.isGone), "empty": state.isGone ? .string(state.texts.isGone) : nil,
            "error": state.errorMessage.map { .string($0) },
        ])
    }
}
