package import AppFoundation
package import MediaLoader
import PaginatorCore
import PaginatorLists

/// What the feed's screen shows.
package struct FeedState: Sendable {
    package var items: PostRows
    /// Whether the first page is being loaded and there is nothing to show: placeholders stand in its place.
    package var isLoading = false
    package var isRefreshing = false
    package var isPaging = false
    package var isAtEnd = false
    package var isOffline = false
    /// Whether the user has to sign in again; what was done waits until then.
    package var isSignedOut = false
    /// How many posts are new on the server; ``FeedStateHolder/showNew()`` shows them.
    package var newAbove = 0
    /// For people; ``FeedStateHolder/retry()`` tries again.
    package var errorMessage: String? { problem.map(texts.message) }
    package var problem: FeedProblem?
    package var texts = AppTexts()
    /// Posts that were given up: the user sends them again or discards them.
    package var failedPosts: [PostRequest] = []
    /// Posts on their way, for their progress.
    package var sendingPosts: [PostRequest] = []
    /// How often the list began anew because the server had forgotten its cursor.
    package var restarts = 0
}

/// The state of the feed's screen, and what the user can do there. The screen reads local data only; what the network
/// brings shows when it is in the list.
@MainActor
package final class FeedStateHolder {
    package private(set) var state: FeedState
    private let app: any FeedServices
    private let list: PaginatorList<Post, Int64>
    private var observations: [any AnyObject & Sendable] = []
    private var listObservation: PaginatorExecution?
    private var imagesAhead: PaginatorExecution?
    private var detailsAhead: Task<Void, Never>?
    private let rest: @Sendable () async throws -> Void
    private var hasLoaded = false
    private var visibleRows: Range<Int>?
    /// What came from disk is followed by news, once.
    private var wantsNews = false
    private var followsServer = false
    private lazy var emitter = Emitter<FeedState> { [weak self] in self?.state }

    /// Makes the state of the screen.
    ///
    /// - Parameter rest: waits as long as somebody looks at a row before they may open it.
    package init(
        _ app: some FeedServices,
        rest: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(300)) }
    ) {
        self.app = app
        self.rest = rest
        list = app.posts.list
        state = FeedState(items: PostRows(snapshot: list.snapshot, pending: app.posts.pendingInteractions))
        state.texts = app.environment.texts
        state.isOffline = !app.environment.state.isOnline
        state.isSignedOut = !app.isSignedIn
        state.isLoading = list.snapshot.isEmpty && !list.status.hasLoaded
        listObservation = list.observe(onMain: { [weak self] update in self?.show(update) })
        observations.append(app.posts.observePending { [weak self] pending in self?.show(pending) })
        observations.append(
            app.environment.observeState { [weak self] environment in
                Task { @MainActor in self?.show(environment) }
            })
        observations.append(app.observeSession { [weak self] in Task { @MainActor in self?.showSession() } })
    }

    deinit {
        listObservation?.cancel()
        detailsAhead?.cancel()
    }

    /// How many states the screen was handed.
    package var emissions: Int { emitter.emissions }

    /// Calls `handler` with the state, now and whenever it looks different.
    package func onChange(_ handler: @escaping (FeedState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    package func first(
        where isMet: (FeedState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> FeedState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    // MARK: - Intents

    /// The screen appears: what is on disk shows at once, and news are asked for when there is a connection.
    package func start() {
        wantsNews = app.startsWithFeed
        list.loadNext()
    }

    /// Asks for news; what is shown stays.
    package func refresh() { app.posts.refresh() }

    /// Follows what happens on the server, as a screen does that stays open.
    package func followServer() {
        followsServer = true
        app.posts.followServer()
    }

    /// Shows the new posts; the others stay where they are, below them.
    package func showNew() { app.posts.loadNew() }

    /// Tries again what failed.
    package func retry() {
        if list.status.refresh.error != nil && !list.snapshot.isEmpty { app.posts.refresh() } else { list.retry() }
    }

    /// The rows that are on the screen; further ones are loaded ahead.
    package func visible(_ rows: Range<Int>) {
        list.hint(visible: rows)
        // Over a weak link nothing is loaded ahead: who has come to the end asks for more.
        if !state.items.isEmpty, rows.upperBound >= state.items.count, list.status.next.error == nil { list.loadNext() }
        visibleRows = rows
        fillGaps()
        // Images of the rows that come next; those of a place that was scrolled past are not loaded any more.
        imagesAhead?.cancel()
        let next = (rows.upperBound..<rows.upperBound + 6).clamped(to: state.items.indices)
        let paths = next.compactMap { state.items[$0].previewImagePath.flatMap(MediaPath.init) }
        imagesAhead = paths.isEmpty ? nil : app.prefetch(paths, shownWidth: Self.imageWidth)
        loadDetailsAhead(rows)
    }

    /// Whoever rests on a row may open it: where a load costs nobody anything, its post is loaded ahead.
    private func loadDetailsAhead(_ rows: Range<Int>) {
        detailsAhead?.cancel()
        guard app.isOn("loadsPostsAhead") else { return }
        let posts = rows.clamped(to: state.items.indices).map { state.items[$0].id }.filter { $0 > 0 }
        detailsAhead = Task { [app, rest] in
            do {
                try await rest()
                try Task.checkCancellation()
            } catch {
                // Scrolled on.
                return
            }
            if app.environment.state.conditions.isEmpty { app.posts.prefetchDetails(posts) }
        }
    }

    /// Loads what is missing among the rows on the screen: new posts on the first page push as many off its end.
    private func fillGaps() {
        guard let visibleRows else { return }
        let (snapshot, status) = (list.snapshot, list.status)
        for gap in snapshot.gaps where visibleRows.contains(gap) && status.gaps[gap] == nil { list.fillGap(at: gap) }
    }

    /// Loads a row's image; cancel it when the row is scrolled away. Steps come on a background queue.
    package func image(of row: PostRow, onStep: @escaping @Sendable (ImageStep) -> Void) -> ImageRequest? {
        row.previewImagePath.flatMap(MediaPath.init)
            .flatMap { app.image($0, shownWidth: Self.imageWidth, onStep: onStep) }
    }

    /// How wide images of rows are shown, in pixels.
    private static let imageWidth = 480

    package func loadMore() { list.loadNext() }

    package func toggleLike(_ row: PostRow) async throws {
        try await app.toggleLike(row.id, isLiked: row.isLiked)
    }

    package func share(_ row: PostRow) async throws {
        try await app.sharePost(row.id, seeing: row.shareCount)
    }

    package func resend(_ request: PostRequest) async throws { try await app.interactions.resend(request) }

    package func discard(_ request: PostRequest) async throws { try await app.interactions.discard(request) }

    // MARK: - State

    private func show(_ update: PaginatorListUpdate<Post, Int64>) {
        let old = state
        let items = PostRows(snapshot: update.snapshot, pending: state.items.pending)
        let looksTheSame = state.items.looksLike(items, after: update.difference)
        state.items = items
        show(update.status)
        state.restarts += update.notices.count { $0 == .restarted }
        if !looksTheSame || !old.hasSameStatus(as: state) { emitter.changed() }
        fillGaps()
        notePages(old, update.status)
        hasLoaded = update.status.hasLoaded
        // It failed without a link, which is back by now.
        if old.problem != .offline, state.problem == .offline, app.environment.state.isOnline { retry() }
        if wantsNews, hasLoaded {
            wantsNews = false
            if !state.isOffline { refresh() }
        }
    }

    private func show(_ status: PaginatorListStatus) {
        state.isLoading = state.items.isEmpty && !status.hasLoaded && status.refresh.error == nil
        state.isRefreshing = status.refresh.isLoading
        state.isPaging = status.next.isLoading && !state.items.isEmpty
        state.isAtEnd = status.next == .endReached
        state.newAbove = status.newAbove
        let error = status.refresh.error ?? status.next.error
        state.problem = error.map { FeedProblem($0) }
    }

    private func show(_ pending: PendingState) {
        let items = PostRows(snapshot: state.items.snapshot, pending: pending.interactions)
        let concerned = state.items.pending.postIDs.union(pending.interactions.postIDs)
        let isVisible =
            !concerned.isEmpty
            && zip(state.items.snapshot, 0...).contains { post, position in
                concerned.contains(post.id) && state.items[position] != items[position]
            }
        let old = state
        state.items = items
        state.failedPosts = pending.posts.filter(\.isCanceled)
        state.sendingPosts = pending.posts.filter { !$0.isCanceled }
        if isVisible || !old.hasSameStatus(as: state) { emitter.changed() }
    }

    private func show(_ environment: AppEnvironment.State) {
        let (isOffline, texts) = (!environment.isOnline, environment.texts)
        guard state.isOffline != isOffline || state.texts != texts else { return }
        let isBack = state.isOffline && !isOffline
        (state.isOffline, state.texts) = (isOffline, texts)
        // What failed meanwhile is asked for again, without anybody who says so.
        if isBack, state.errorMessage != nil { retry() }
        emitter.changed()
    }

    /// Says whether the user is signed in; what was refused meanwhile is asked for after the sign-in.
    private func showSession() {
        let isSignedOut = !app.isSignedIn
        guard state.isSignedOut != isSignedOut else { return }
        state.isSignedOut = isSignedOut
        if !isSignedOut {
            if state.errorMessage != nil { retry() }
            // It has ended with the token.
            if followsServer { app.posts.followServer() }
        }
        emitter.changed()
    }

    /// Keeps what is known about the feed beside its posts, when pages have come.
    private func notePages(_ old: FeedState, _ status: PaginatorListStatus) {
        let isRefresh = (old.isRefreshing || (!hasLoaded && status.hasLoaded)) && !state.isRefreshing
        // A page may come, and another be asked for, before the list tells of it: then nobody saw it loading.
        let isPaged = !state.isPaging && (old.isPaging || state.items.snapshot.count > old.items.snapshot.count)
        guard isRefresh || isPaged, status.refresh.error ?? status.next.error == nil else { return }
        let app = app
        Task { try await app.notePages(isRefresh: isRefresh) }
    }
}

extension FeedState {
    fileprivate func hasSameStatus(as other: FeedState) -> Bool {
        isLoading == other.isLoading && isRefreshing == other.isRefreshing && isPaging == other.isPaging
            && isAtEnd == other.isAtEnd && isOffline == other.isOffline && isSignedOut == other.isSignedOut
            && problem == other.problem && texts == other.texts && newAbove == other.newAbove
            && failedPosts == other.failedPosts && sendingPosts == other.sendingPosts && restarts == other.restarts
    }
}
