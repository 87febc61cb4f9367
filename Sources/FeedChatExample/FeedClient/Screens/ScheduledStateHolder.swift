package import AppFoundation

/// What the screen of scheduled posts shows.
package struct ScheduledState: Sendable, Equatable {
    /// Those that the server has, the next one first.
    package var posts: [ScheduledPost] = []
    /// Those that are on their way to the server.
    package var waiting: [PostRequest] = []
    package var isLoading = true
    package var problem: FeedProblem?
    package var texts = AppTexts()

    package var errorMessage: String? { problem.map(texts.message) }
}

/// The state of the screen of posts that appear later.
@MainActor
package final class ScheduledStateHolder {
    package private(set) var state = ScheduledState()
    private let app: any FeedServices
    private var observations: [any AnyObject & Sendable] = []
    private lazy var emitter = Emitter<ScheduledState> { [weak self] in self?.state }

    package init(_ app: some FeedServices) {
        self.app = app
        state.texts = app.environment.texts
        observations.append(app.posts.observePending { [weak self] pending in self?.show(pending) })
        observations.append(
            app.environment.observeState { [weak self] environment in
                Task { @MainActor in self?.show(environment) }
            })
    }

    /// Calls `handler` with the state, now and whenever it looks different.
    package func onChange(_ handler: @escaping (ScheduledState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    package func first(
        where isMet: (ScheduledState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> ScheduledState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    /// Asks the server what it has.
    package func refresh() async {
        state.isLoading = true
        emitter.changed()
        do throws(APIError) {
            state.posts = try await app.posts.scheduled()
            state.problem = nil
        } catch {
            state.problem = FeedProblem(error)
        }
        state.isLoading = false
        emitter.changed()
    }

    /// Takes a post back that the server has; one that has appeared meanwhile stays.
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

    /// Takes a post back that the server does not have yet.
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
        if environment.isOnline, state.problem != nil { Task { await refresh() } }
    }
}
