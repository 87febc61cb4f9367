import AppFoundation
import FeedClient
import Foundation
import RichText

/// One post with its comments for the page.
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

    var state: AppJSON { PostProjection.state(holder.state) }
    var rows: [AppRow]? { PostProjection.rows(holder.state, user: user) }

    func visible(_ rows: Range<Int>, of all: [AppRow]) async {
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
        // Drafts of comments are not stored.
        case ("draft", _): break
        case ("thread", .comment(let comment, _)?):
            if holder.state.threads[comment.id] == nil {
                holder.openThread(comment.id)
            } else {
                holder.closeThread(comment.id)
            }
        case ("moreReplies", .threadEnd(let comment, _)?): holder.loadMoreReplies(to: comment)
        case ("retry", .threadEnd(let comment, _)?): holder.retryThread(comment)
        case ("retry", .failedComment(let request, _)?): try await holder.resend(request)
        case ("discard", .failedComment(let request, _)?): try await holder.discard(request)
        case ("refresh", _): holder.refresh()
        case ("retry", _): retry()
        case ("older", _): holder.loadMoreComments()
        default: return try await edit(intent)
        }
        return true
    }

    /// Performs an action of the author.
    private func edit(_ intent: AppIntent) async throws -> Bool {
        let texts = holder.state.texts
        switch intent.what {
        case "write": try await write(intent.text)
        case "save":
            if !intent.text.isEmpty { try await write(intent.text) }
            try (try await holder.saveDraft()).check(texts)
        case "discardDraft": try await holder.discardDraft()
        case "keepMine": try (try await holder.resolveConflict(.keepMine)).check(texts)
        case "takeTheirs": try (try await holder.resolveConflict(.takeTheirs)).check(texts)
        case "delete": try await holder.delete()
        default: return false
        }
        return true
    }

    /// Changes the draft; unchanged text keeps its styles.
    private func write(_ text: String) async throws {
        guard holder.state.isOwn else { return }
        var draft = RichTextDraft(
            holder.state.draft.map { RichText(html: $0.content) } ?? holder.state.text ?? RichText())
        draft.replace(with: text)
        try await holder.writeDraft(draft.html)
    }

    private func retry() {
        holder.retry()
        for (comment, thread) in holder.state.threads where thread.problem != nil { holder.retryThread(comment) }
    }

    private func row(_ id: AppJSON?) -> AppRow? {
        id?.string.flatMap { id in rows?.first { $0.id == id } }
    }
}

/// The reason why an action failed, as a sentence for the page.
struct AppIntentError: Error {
    let text: String
}

extension EditOutcome {
    /// Throws an error for the page if the edit did not reach the server.
    func check(_ texts: AppTexts) throws {
        switch self {
        case .saved: break
        case .conflict: throw AppIntentError(text: texts.wasChangedMeanwhile)
        case .gone: throw AppIntentError(text: texts.isGone)
        case .refused: throw AppIntentError(text: texts.textIsRefused)
        case .unsent(let problem): throw AppIntentError(text: texts.message(problem))
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
            + state.comments.flatMap { rows($0, state.threads[$0.id], user, state.texts) }
            + AppRow.footer(
                isPaging: state.isPagingComments, isAtEnd: false,
                error: state.commentsProblem.map(state.texts.message), state.texts)
    }

    /// Returns the rows of a comment, and of its replies if they are open.
    private static func rows(
        _ comment: Comment, _ thread: CommentThread?, _ user: String, _ texts: AppTexts
    ) -> [AppRow] {
        func row(_ comment: Comment, isOpen: Bool, parent: String?) -> AppRow {
            AppRow(
                id: "c\(comment.id)",
                content: .comment(
                    comment, .init(isMine: "\(comment.author.id)" == user, isOpen: isOpen, parent: parent)))
        }
        return [row(comment, isOpen: thread != nil, parent: nil)]
            + (thread?.replies ?? []).map { row($0, isOpen: false, parent: "c\(comment.id)") }
            + (thread.map { end(of: $0, texts) } ?? []).map {
                AppRow(id: "t\(comment.id)", content: .threadEnd(comment.id, $0))
            }
    }

    /// Returns the footer below the replies of a thread; none if all replies are loaded.
    private static func end(of thread: CommentThread, _ texts: AppTexts) -> [AppRowContent.Footer] {
        if thread.isLoading { return [.init(state: .loading)] }
        if let problem = thread.problem { return [.init(state: .failed, text: texts.message(problem))] }
        return thread.hasMore ? [.init(state: .more)] : []
    }

    /// Returns a server text for editing, without its styles.
    private static func plain(_ html: String) -> String { RichTextDraft(RichText(html: html)).text }

    static func state(_ state: PostDetailState) -> AppJSON {
        .members([
            "title": .string(state.texts.post), "post": state.post.map { .string("p\($0.id)") },
            "gone": .bool(state.isGone), "empty": state.isGone ? .string(state.texts.isGone) : nil,
            "error": state.errorMessage.map { .string($0) }, "isOwn": .bool(state.isOwn),
            "plain": state.isOwn ? state.text.map { .string(RichTextDraft($0).text) } : nil,
            "edit": state.draft.map { .string(plain($0.content)) },
            "conflict": state.draft?.serverContent.map { ["theirs": .string(plain($0))] },
        ])
    }
}
