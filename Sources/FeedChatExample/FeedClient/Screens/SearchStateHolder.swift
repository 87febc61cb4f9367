package import AppFoundation
import PaginatorCore
package import PaginatorLists

/// The state of the search's screen.
package struct SearchState: Sendable {
    /// The search text.
    package var text = ""
    package var items: PaginatorListSnapshot<SearchHit, Int64>
    package var isLoading = false
    package var isPaging = false
    package var isAtEnd = false
    /// Whether the server has found nothing.
    package var foundNothing = false
    /// Whether only seen posts are found, because the server was not reached.
    package var isOfSeenPosts = false
    package var errorMessage: String? { problem.map(texts.message) }
    package var problem: FeedProblem?
    package var texts = AppTexts()
}

/// The state holder of the search's screen: the server is called when the user stops typing, and further pages are
/// loaded on scrolling.
@MainActor
package final class SearchStateHolder {
    package private(set) var state: SearchState
    private let app: any FeedServices
    private let list: PaginatorList<SearchHit, Int64>
    private var words = ""
    private var execution: PaginatorExecution?
    private var observations: [any AnyObject & Sendable] = []
    private var waiting: Task<Void, Never>?
    private let pause: @Sendable (Int) async throws -> Void
    /// The number of failed calls of the server for the current search.
    private var tries = 0
    private lazy var emitter = Emitter<SearchState> { [weak self] in self?.state }

    /// Creates the state holder.
    ///
    /// - Parameter pause: waits before the server is called again, given the number of calls; by default from 1 s to 32
    ///   s.
    package init(
        _ app: some FeedServices,
        pause: @escaping @Sendable (Int) async throws -> Void = { try await Task.sleep(for: .seconds(1 << min($0, 5))) }
    ) {
        self.app = app
        self.pause = pause
        var config = PaginatorListConfig()
        config.pageSize = 20
        config.debounce = DebounceKey("search")
        list = PaginatorList(app.posts.search, config: config)
        state = SearchState(items: list.snapshot)
        state.texts = app.environment.texts
        execution = list.observe(onMain: { [weak self] update in self?.show(update) })
        observations = [
            app.environment.observeState { [weak self] environment in
                Task { @MainActor in self?.show(environment) }
            },
            app.observeSession { [weak self] in Task { @MainActor in self?.showSession() } },
        ]
    }

    deinit {
        execution?.cancel()
        waiting?.cancel()
    }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (SearchState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    package func first(
        where isMet: (SearchState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> SearchState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    // MARK: - Intents

    /// Handles a change of the text; the hits stay until there are new ones.
    package func type(_ text: String) {
        state.text = text
        emitter.changed()
        let words = text.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
        guard words != self.words else { return }
        self.words = words
        stopWaiting()
        list.show(scope: words, keepsItems: !words.isEmpty)
    }

    /// Reports the visible rows; further ones are prefetched.
    package func visible(_ rows: Range<Int>) { list.hint(visible: rows) }

    package func loadMore() { list.loadNext() }

    package func retry() { list.retry() }

    // MARK: - State

    private func show(_ update: PaginatorListUpdate<SearchHit, Int64>) {
        let status = update.status
        state.items = update.snapshot
        let error = status.refresh.error ?? status.next.error
        state.isLoading = !words.isEmpty && error == nil && (status.refresh.isLoading || !status.hasLoaded)
        state.isPaging = status.next.isLoading && !update.snapshot.isEmpty
        state.isAtEnd = status.next == .endReached
        state.isOfSeenPosts = update.snapshot.last.map { !$0.isFromServer } ?? false
        state.foundNothing = !words.isEmpty && update.snapshot.isEmpty && error == nil && !state.isLoading
        state.problem = error.map { FeedProblem($0) }
        if !state.isLoading { waitForServer() }
        emitter.changed()
    }

    /// Searches again as soon as the server answers, after it did not: the outage may have been too short for the
    /// connection watch to notice.
    private func waitForServer() {
        let wasAway = state.isOfSeenPosts || state.problem.map { $0 != .offline } ?? false
        guard app.isSignedIn, wasAway else { return stopWaiting() }
        guard waiting == nil else { return }
        waiting = Task { [weak self, app, pause] in
            var isBack = false
            while !isBack {
                guard let tries = self?.tries else { return }
                self?.tries += 1
                do {
                    try await pause(tries)
                } catch {
                    // The search text or its hits have changed.
                    return
                }
                if app.environment.state.isOnline { isBack = await app.isReached() }
            }
            guard !Task.isCancelled else { return }
            self?.waiting = nil
            self?.list.refresh()
        }
    }

    private func stopWaiting() {
        waiting?.cancel()
        waiting = nil
        tries = 0
    }

    private func show(_ environment: AppEnvironment.State) {
        if state.texts != environment.texts {
            state.texts = environment.texts
            emitter.changed()
        }
        if environment.isOnline { searchAgain() }
    }

    private func showSession() {
        if app.isSignedIn { searchAgain() } else { stopWaiting() }
    }

    /// Searches again what the server could not be searched for.
    private func searchAgain() {
        app.posts.search.invalidate(.all)
        if state.isOfSeenPosts || state.errorMessage != nil { list.refresh() }
    }
}
