package import AppFoundation

/// The state of the screen of scheduled posts.
package struct ScheduledState: Sendable, Equatable {
    /// The posts that the server has, the next one first.
    package var posts: [ScheduledPost] = []
    /// The posts that are being sent to the server.
    package var waiting: [PostRequest] = []
    package var isLoading = true
    package var problem: FeedProblem?
    package var texts = AppTexts()

    package var errorMessage: String? { problem.map(texts.message) }
}

/// The state holder of the screen of scheduled posts.
@MainActor
package final class ScheduledStateHolder {
    package private(set) var state = ScheduledState()
    private let app: any FeedServices
    private var observations: [any AnyObject & Sendable] = []
    private var lastRefresh = 0
    private var lastShown = 0
    private lazy var emitter = Emitter<ScheduledState> { [weak self] in self?.state }

    package init(_ app: some FeedServices) {
        self.app = app
        state.texts = app.environment.texts
        observations.append(app.posts.observePending { [weak self] pending in self?.show(pending) })
        observations.append(
            app.environment.observeState { [weak self] environment in
                Task { @MainActor in self?.show(environment) }
            })
        observations.append(app.observeSession { [weak self] in Task { @MainActor in await self?.showSession() } })
    }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (ScheduledState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    package func first(
        where isMet: (ScheduledState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> ScheduledState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    /// Loads the scheduled posts from the server. An answer does not replace that to a later call.
    package func refresh() async {
        lastRefresh += 1
        let number = lastRefresh
        state.isLoading = true
        emitter.changed()
        do throws(APIError) {
            let posts = try await app.posts.scheduled()
            guard number > lastShown else { return }
            (state.posts, state.problem) = (posts, nil)
        } catch {
            guard number > lastShown else { return }
            state.problem = FeedProblem(error)
        }
        lastShown = number
        state.isLoading = number < lastRefresh
        emitter.changed()
    }

    /// Cancels a scheduled post on the server; one that has appeared meanwhile stays.
    package func cancel(_ post: ScheduledPost) async {
        do throws(APIError) {
            try await app.posts.cancelScheduled(post.id)
        } catch {
            guard error.isOfMissingPost else {
                state.problem = FeedProblem(error)
                return emitter.changed()
            }
        }
        await refresh()
    }

    /// Discards a post that the server does not have yet.
    package func discard(_ request: PostRequest) async throws { try await app.interactions.discard(request) }

    private func show(_ pending: PendingState) {
        let waiting = pending.posts.filter { $0.publishAt != nil && !$0.isCanceled }
        guard waiting != state.waiting else { return }
        let hasArrived = waiting.count < state.waiting.count
        state.waiting = waiting
        emitter.changed()
        if hasArrived { Task { await refresh() } }
    }

    private func show(_ environment: AppEnvironment.State) {
        state.texts = environment.texts
        emitter.changed()
        if environment.isOnline, isWanted { Task { await refresh() } }
    }

    /// Retries refused loads after a sign-in.
    private func showSession() async {
        if app.isSignedIn, isWanted { await refresh() }
    }

    /// Whether the last refresh has failed, or has not ended: it may fail later, or never end.
    private var isWanted: Bool { state.problem != nil || state.isLoading }
}
