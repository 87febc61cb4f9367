import AppFoundation
import PaginatorCore
import PaginatorLists

/// What the screen of one user shows.
package struct ProfileState: Sendable {
    package var items: PostRows
    package var isLoading = true
    package var isPaging = false
    package var isAtEnd = false
    package var errorMessage: String?
}

/// The state of the screen of one user's posts.
@MainActor
package final class ProfileStateHolder {
    package private(set) var state: ProfileState
    private let app: FeedApp
    private let list: PostsRepository.List
    private var execution: PaginatorExecution?
    private var observation: (any AnyObject & Sendable)?
    private lazy var emitter = Emitter<ProfileState> { [weak self] in self?.state }

    package init(_ app: FeedApp, user: Int64) {
        self.app = app
        list = app.posts.profileList(of: user)
        state = ProfileState(items: PostRows(snapshot: list.snapshot, pending: app.posts.pendingInteractions))
        execution = list.observe(onMain: { [weak self] update in self?.show(update) })
        observation = app.posts.observePending { [weak self] pending in
            guard let self, state.items.pending != pending.interactions else { return }
            state.items = PostRows(snapshot: state.items.snapshot, pending: pending.interactions)
            emitter.changed()
        }
    }

    deinit {
        execution?.cancel()
    }

    /// Calls `handler` with the state, now and whenever it looks different.
    package func onChange(_ handler: @escaping (ProfileState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    package func first(
        where isMet: (ProfileState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> ProfileState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    package func start() { list.loadNext() }
    package func refresh() { list.refresh() }
    package func retry() { list.retry() }
    package func visible(_ rows: Range<Int>) { list.hint(visible: rows) }
    package func toggleLike(_ row: PostRow) async throws { try await app.toggleLike(row.id, isLiked: row.isLiked) }

    private func show(_ update: PaginatorListUpdate<Post, Int64>) {
        let status = update.status
        let items = PostRows(snapshot: update.snapshot, pending: state.items.pending)
        let looksTheSame = state.items.looksLike(items, after: update.difference)
        var new = ProfileState(items: items)
        new.isLoading = update.snapshot.isEmpty && !status.hasLoaded && status.refresh.error == nil
        new.isPaging = status.next.isLoading && !update.snapshot.isEmpty
        new.isAtEnd = status.next == .endReached
        new.errorMessage = (status.refresh.error ?? status.next.error).map(FeedMessages.text)
        let isSame =
            looksTheSame && new.isLoading == state.isLoading && new.isPaging == state.isPaging
            && new.isAtEnd == state.isAtEnd && new.errorMessage == state.errorMessage
        state = new
        if !isSame { emitter.changed() }
    }
}
