package import AppFoundation
import PaginatorCore
import PaginatorLists
package import RichText

/// The state of a post's screen.
package struct PostDetailState: Sendable {
    /// The post with pending interactions applied; `nil` while it is being loaded, and if it was deleted.
    package var post: PostDetail?
    /// The post's content as styled runs, parsed and cleaned off the main thread.
    package var text: RichText?
    package var comments: [Comment] = []
    /// The user's failed comments, which may be resent or discarded.
    package var failedComments: [CommentRequest] = []
    /// The open threads, by their first comment.
    package var threads: [Int64: CommentThread] = [:]
    package var isLoading = true
    package var isPagingComments = false
    package var hasMoreComments = true
    /// The reason why further comments are missing; ``PostDetailStateHolder/retry()`` tries again.
    package var commentsProblem: FeedProblem?
    /// Whether it is the user's own post, which can be edited and deleted.
    package var isOwn = false
    /// The user's edit, a draft until it is saved; it may be in conflict with another device.
    package var draft: Draft?
    /// Whether the post was deleted.
    package var isGone = false
    package var errorMessage: String? { problem.map(texts.message) }
    package var problem: FeedProblem?
    package var texts = AppTexts()
}

/// The replies to a comment.
package struct CommentThread: Sendable, Equatable {
    /// Ordered from the newest.
    package var replies: [Comment] = []
    package var isLoading = true
    package var hasMore = true
    package var problem: FeedProblem?
}

/// The state holder of a post's screen, with the user's actions.
@MainActor
package final class PostDetailStateHolder {
    package private(set) var state = PostDetailState()
    private let app: any FeedServices
    private let id: Int64
    private let list: PaginatorList<PostDetail, Int64>
    private let comments: PaginatorList<Comment, Int64>
    private let threadConfig: PaginatorListConfig
    private var pending: PendingInteractions
    private var parsed: String?
    private var saving: Task<EditOutcome, any Error>?
    private var threads: [Int64: (list: PaginatorList<Comment, Int64>, execution: PaginatorExecution)] = [:]
    private var executions: [PaginatorExecution] = []
    private var observations: [any AnyObject & Sendable] = []
    private lazy var emitter = Emitter<PostDetailState> { [weak self] in self?.state }

    package init(_ app: some FeedServices, post: Int64) {
        self.app = app
        id = post
        list = app.posts.detailList(of: post)
        var config = PaginatorListConfig()
        config.pageSize = 20
        config.scope = CommentScope(post: post).text
        config.policy = .staleWhileRevalidate
        comments = PaginatorList(app.interactions.comments, config: config)
        threadConfig = config
        pending = app.posts.pendingInteractions
        state.texts = app.environment.texts
        executions.append(list.observe(onMain: { [weak self] update in self?.show(update) }))
        executions.append(comments.observe(onMain: { [weak self] update in self?.show(update) }))
        observations.append(app.posts.observePending { [weak self] pending in self?.show(pending) })
        observations.append(
            app.environment.observeState { [weak self] environment in
                Task { @MainActor in self?.show(environment) }
            })
        observations.append(app.observeSession { [weak self] in Task { @MainActor in self?.showSession() } })
    }

    deinit {
        for execution in executions { execution.cancel() }
        for thread in threads.values { thread.execution.cancel() }
    }

    /// The number of emitted states.
    package var emissions: Int { emitter.emissions }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (PostDetailState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    package func first(
        where isMet: (PostDetailState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> PostDetailState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    // MARK: - Intents

    /// Starts the screen. Comments of an earlier time show first, and then the current ones.
    package func start() async throws {
        list.loadNext()
        load(comments, of: CommentScope(post: id))
        try await app.interactions.showWaitingComments(on: id)
        try await showDraft()
    }

    /// Refreshes the post and its comments.
    package func refresh() {
        list.refresh()
        comments.refresh()
    }

    package func retry() {
        list.retry()
        comments.retry()
    }

    package func loadMoreComments() { comments.loadNext() }

    package func toggleLike() async throws {
        if let post = state.post { try await app.toggleLike(id, isLiked: post.isLiked) }
    }

    package func toggleBookmark() async throws {
        if let post = state.post { try await app.toggleBookmark(id, isBookmarked: post.isBookmarked) }
    }

    package func share() async throws {
        if let post = state.post { try await app.sharePost(id, seeing: post.shareCount) }
    }

    package func comment(_ text: String) async throws { try await app.addComment(text, on: id) }

    /// Shows the replies to a comment below it; an open thread stays.
    package func openThread(_ comment: Int64) {
        guard comment > 0, threads[comment] == nil else { return }
        let scope = CommentScope(post: id, parent: comment)
        var config = threadConfig
        config.scope = scope.text
        let list = PaginatorList<Comment, Int64>(app.interactions.comments, config: config)
        state.threads[comment] = CommentThread()
        emitter.changed()
        threads[comment] = (list, list.observe(onMain: { [weak self] update in self?.show(update, of: comment) }))
        load(list, of: scope)
    }

    /// Loads the beginning of a list, whose pages may have been in memory for long.
    private func load(_ list: PaginatorList<Comment, Int64>, of scope: CommentScope) {
        app.interactions.comments.invalidate(.scope(scope.text))
        list.loadNext()
    }

    package func closeThread(_ comment: Int64) {
        threads.removeValue(forKey: comment)?.execution.cancel()
        state.threads[comment] = nil
        emitter.changed()
    }

    package func loadMoreReplies(to comment: Int64) { threads[comment]?.list.loadNext() }

    package func retryThread(_ comment: Int64) { threads[comment]?.list.retry() }

    /// Replies to a comment that the server has; the reply is shown in its thread at once.
    package func reply(_ text: String, to comment: Comment) async throws {
        guard comment.id > 0 else { return }
        let thread = comment.parentID ?? comment.id
        openThread(thread)
        try await app.addComment(text, on: id, replyingTo: thread)
    }

    package func resend(_ request: CommentRequest) async throws { try await app.interactions.resend(request) }

    package func discard(_ request: CommentRequest) async throws { try await app.interactions.discard(request) }

    package func delete() async throws { try await app.deletePost(id) }

    /// Begins an edit, which is a draft until it is saved.
    package func writeDraft(_ content: String) async throws {
        guard let post = state.post else { return }
        try await app.drafts.save(content, of: id, baseVersion: post.version)
        try await showDraft()
    }

    /// Saves the draft. Without a connection, and in a conflict with another device, it stays.
    package func saveDraft() async throws -> EditOutcome {
        // One after the other: a second tap sends only text that was written after the first.
        let saving = Task { [app, id, earlier = saving] in
            _ = await earlier?.result
            return try await app.saveEdit(id)
        }
        self.saving = saving
        let outcome = try await saving.value
        try await showDraft()
        return outcome
    }

    /// Resolves the conflict of the draft with the user's choice.
    package func resolveConflict(_ choice: ConflictChoice) async throws -> EditOutcome {
        let outcome = try await app.resolveConflict(id, choice)
        if choice == .takeTheirs { list.refresh() }
        try await showDraft()
        return outcome
    }

    package func discardDraft() async throws {
        try await app.drafts.remove(of: id)
        try await showDraft()
    }

    private func showDraft() async throws {
        state.draft = try await app.drafts.draft(of: id)
        emitter.changed()
    }

    // MARK: - State

    private func show(_ update: PaginatorListUpdate<PostDetail, Int64>) {
        let post = update.snapshot.first.map(pending.over)
        let error = update.status.refresh.error
        let isGone = error?.isOfMissingPost ?? false || (update.snapshot.isEmpty && update.status.hasLoaded)
        let problem = isGone ? nil : error.map { FeedProblem($0) }
        let isLoading = post == nil && error == nil && !isGone
        guard
            post != state.post || isGone != state.isGone || isLoading != state.isLoading
                || problem != state.problem
        else { return }
        if isGone, !state.isGone, error?.isOfMissingPost == true {
            // If this fails, the post stays where it is shown until it is opened or loaded again.
            Task { [app, id] in try? await app.posts.postIsGone(id) }
        }
        state.post = isGone ? nil : post
        state.isOwn = state.post.map { $0.author.id == app.profiles.own } ?? false
        parse(state.post?.content)
        state.isGone = isGone
        state.isLoading = isLoading
        state.problem = problem
        emitter.changed()
    }

    /// Converts the HTML of another user to styled runs.
    private func parse(_ html: String?) {
        guard html != parsed else { return }
        parsed = html
        guard let html else {
            state.text = nil
            return
        }
        Task { [weak self] in
            let text = await Self.text(html)
            guard let self, parsed == html else { return }
            state.text = text
            emitter.changed()
        }
    }

    @concurrent
    private nonisolated static func text(_ html: String) async -> RichText { RichText(html: html) }

    private func show(_ update: PaginatorListUpdate<Comment, Int64>) {
        let error = update.status.refresh.error ?? update.status.next.error
        state.commentsProblem = error.map { FeedProblem($0) }
        state.comments = Array(update.snapshot)
        state.isPagingComments = update.status.next.isLoading
        state.hasMoreComments = update.status.next != .endReached
        emitter.changed()
    }

    private func show(_ update: PaginatorListUpdate<Comment, Int64>, of comment: Int64) {
        guard threads[comment] != nil else { return }
        var thread = CommentThread()
        let error = update.status.refresh.error ?? update.status.next.error
        thread.replies = Array(update.snapshot)
        thread.isLoading = update.status.refresh.isLoading || update.status.next.isLoading
        thread.hasMore = update.status.next != .endReached
        thread.problem = error.map { FeedProblem($0) }
        guard thread != state.threads[comment] else { return }
        state.threads[comment] = thread
        emitter.changed()
    }

    private func show(_ environment: AppEnvironment.State) {
        if state.texts != environment.texts {
            state.texts = environment.texts
            emitter.changed()
        }
        if environment.isOnline { retryFailed() }
    }

    /// Retries refused loads after a sign-in.
    private func showSession() {
        if app.isSignedIn { retryFailed() }
    }

    private func retryFailed() {
        for (comment, thread) in threads where state.threads[comment]?.problem != nil { thread.list.retry() }
        if state.errorMessage != nil { list.retry() }
        if comments.status.refresh.error ?? comments.status.next.error != nil { comments.retry() }
    }

    private func show(_ pending: PendingState) {
        let failed = pending.failedComments.filter { $0.postID == id }
        if state.failedComments != failed {
            state.failedComments = failed
            emitter.changed()
        }
        guard self.pending != pending.interactions else { return }
        self.pending = pending.interactions
        let post = list.snapshot.first.map(self.pending.over)
        guard post != state.post, !state.isGone else { return }
        state.post = post
        emitter.changed()
    }
}
