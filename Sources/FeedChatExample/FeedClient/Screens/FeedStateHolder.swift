package import AppFoundation
package import MediaLoader
import PaginatorCore
import PaginatorLists

/// The state of the feed's screen.
package struct FeedState: Sendable {
    package var items: PostRows
    /// Whether the first page is being loaded without rows, so that placeholders are shown.
    package var isLoading = false
    package var isRefreshing = false
    package var isPaging = false
    package var isAtEnd = false
    package var isOffline = false
    /// Whether the user has to sign in again; pending operations are kept until then.
    package var isSignedOut = false
    /// The number of new posts on the server; ``FeedStateHolder/showNew()`` shows them.
    package var newAbove = 0
    /// The error for people; ``FeedStateHolder/retry()`` tries again.
    package var errorMessage: String? { problem.map(texts.message) }
    package var problem: FeedProblem?
    package var texts = AppTexts()
    /// Failed posts, which the user may resend or discard.
    package var failedPosts: [PostRequest] = []
    /// Posts that are being sent, with their progress.
    package var sendingPosts: [PostRequest] = []
    /// The number of restarts of the list because the server's cursor had expired.
    package var restarts = 0
}

/// The state holder of the feed's screen, with the user's actions. The screen reads only local data; loaded data is
/// shown once it is in the list.
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
    /// Whether posts from disk are to be refreshed, once.
    private var wantsNews = false
    private lazy var emitter = Emitter<FeedState> { [weak self] in self?.state }

    /// Creates the state holder.
    ///
    /// - Parameter rest: waits as long as a user looks at a row before opening it.
    package init(
        _ app: some FeedServices,
        rest: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(300)) }
    ) {
        self.app = app
        self.rest = rest
        list = app.posts.list
        state = FeedState(items: PostRows(snapshot: list.snapshot, pending: app.posts.pendingInteractions))
        state.isLoading = list.snapshot.isEmpty && !list.status.hasLoaded
        listObservation = list.observe(onMain: { [weak self] update in self?.show(update) })
        observations.append(app.posts.observePending { [weak self] pending in self?.show(pending) })
        observations.append(
            app.environment.observeState { [weak self] environment in
                Task { @MainActor in self?.show(environment) }
            })
        observations.append(app.observeSession { [weak self] in Task { @MainActor in self?.showSession() } })
        // Read once they are observed, so that no change is missed.
        state.texts = app.environment.texts
        state.isOffline = !app.environment.state.isOnline
        state.isSignedOut = !app.isSignedIn
    }

    deinit {
        listObservation?.cancel()
        detailsAhead?.cancel()
    }

    /// The number of emitted states.
    package var emissions: Int { emitter.emissions }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (FeedState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    package func first(
        where isMet: (FeedState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> FeedState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    // MARK: - Intents

    /// Starts the screen: posts on disk are shown at once, and refreshed when there is a connection.
    package func start() {
        wantsNews = app.startsWithFeed
        list.loadNext()
    }

    /// Refreshes the feed; visible posts stay.
    package func refresh() { app.posts.refresh() }

    /// Shows the new posts; the others stay below them.
    package func showNew() { app.posts.loadNew() }

    /// Retries failed loads and refreshes, in place.
    package func retry() { list.retry() }

    /// Reports the visible rows; further ones are prefetched.
    package func visible(_ rows: Range<Int>) {
        list.hint(visible: rows)
        // On a weak link nothing is prefetched, so reaching the end loads more.
        if !state.items.isEmpty, rows.upperBound >= state.items.count, list.status.next.error == nil { list.loadNext() }
        visibleRows = rows
        fillGaps()
        // Images of the next rows; loads for rows that were scrolled past are cancelled.
        imagesAhead?.cancel()
        let next = (rows.upperBound..<rows.upperBound + 6).clamped(to: state.items.indices)
        let paths = next.compactMap { state.items[$0].previewImagePath.flatMap(MediaPath.init) }
        imagesAhead = paths.isEmpty ? nil : app.prefetch(paths, shownWidth: Self.imageWidth)
        loadDetailsAhead(rows)
    }

    /// A row on which the user rests may be opened: if a load costs little, its post is prefetched.
    private func loadDetailsAhead(_ rows: Range<Int>) {
        detailsAhead?.cancel()
        guard app.isOn("loadsPostsAhead") else { return }
        let posts = rows.clamped(to: state.items.indices).map { state.items[$0].id }.filter { $0 > 0 }
        detailsAhead = Task { [app, rest] in
            do {
                try await rest()
                try Task.checkCancellation()
            } catch {
                // The user has scrolled on.
                return
            }
            if app.environment.state.conditions.isEmpty { app.posts.prefetchDetails(posts) }
        }
    }

    /// Loads missing rows among the visible ones: new posts on the first page push as many off its end.
    private func fillGaps() {
        guard let visibleRows else { return }
        let (snapshot, status) = (list.snapshot, list.status)
        for gap in snapshot.gaps where visibleRows.contains(gap) && status.gaps[gap] == nil { list.fillGap(at: gap) }
    }

    /// Loads a row's image; cancel it when the row is scrolled away. Steps are delivered on a background queue.
    package func image(of row: PostRow, onStep: @escaping @Sendable (ImageStep) -> Void) -> ImageRequest? {
        row.previewImagePath.flatMap(MediaPath.init)
            .flatMap { app.image($0, shownWidth: Self.imageWidth, onStep: onStep) }
    }

    /// The width of images in rows, in pixels.
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
        // The load failed without a connection, which has returned by now.
        if old.problem != .offline, state.problem == .offline, app.environment.state.isOnline { retry() }
        refreshOnce()
    }

    /// Refreshes posts from disk, once they are shown and there is a connection. Who has scrolled down meanwhile keeps
    /// the place, and so does who was put there by a bookmark.
    ///
    /// - Returns: whether it does.
    @discardableResult
    private func refreshOnce() -> Bool {
        guard wantsNews, hasLoaded, !state.isOffline else { return false }
        wantsNews = false
        // A restored list begins with the page of its place.
        let isAtStart = list.status.previous == .endReached && list.status.jump == nil
        if isAtStart, visibleRows?.lowerBound ?? 0 == 0 { refresh() } else { list.refresh(.keepingPlace) }
        return true
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
        // Failed loads are retried automatically.
        if isBack, !refreshOnce(), state.errorMessage != nil { retry() }
        emitter.changed()
    }

    /// Shows whether the user is signed in; refused loads are retried after the sign-in.
    private func showSession() {
        let isSignedOut = !app.isSignedIn
        guard state.isSignedOut != isSignedOut else { return }
        state.isSignedOut = isSignedOut
        if !isSignedOut, state.errorMessage != nil { retry() }
        emitter.changed()
    }

    /// Stores the metadata of the feed when pages have arrived.
    private func notePages(_ old: FeedState, _ status: PaginatorListStatus) {
        let isRefresh = (old.isRefreshing || (!hasLoaded && status.hasLoaded)) && !state.isRefreshing
        // A page may arrive, and another be requested, before the list reports it, so the loading state was never
        // visible.
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
