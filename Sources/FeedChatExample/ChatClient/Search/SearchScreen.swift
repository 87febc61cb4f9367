import AppFoundation
package import PaginatorCore
import PaginatorLists

/// What a search shows.
package struct SearchState: Sendable, Hashable {
    /// What is typed.
    package var text = ""
    /// What was found, newest first; while a search runs, still what the one before it found.
    package var hits: [SearchHit] = []
    package var isSearching = false
    /// Whether there is more, which comes as one scrolls.
    package var hasMore = false
    package var errorMessage: String?

    /// Whether the user is told that there is nothing.
    package var isNothingFound: Bool { !text.isEmpty && !isSearching && hits.isEmpty && errorMessage == nil }

    package init() {}
}

/// The search of one conversation or of all, on this device. While somebody types, only the last text of a burst is
/// searched for.
@MainActor package final class SearchScreen {
    package private(set) var state = SearchState()
    private let service: ChatService
    private let list: PaginatorList<SearchHit, Int64>
    private let subscription: ChatSubscription
    private var observation: PaginatorExecution?
    private lazy var emitter = Emitter<SearchState> { [weak self] in self?.state }

    /// - Parameters:
    ///   - contactId: whose conversation is searched; `nil` searches all.
    ///   - pageSize: how many are found at once.
    package init(
        _ service: ChatService, in contactId: String? = nil, pageSize: Int = 30,
        config: PaginatorConfig = DefaultPaginatorConfig()
    ) {
        self.service = service
        var config = config
        // The database has the answer, and changes.
        config.defaultPolicy = .networkOnly
        let source = SearchSource(service.database, in: contactId)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = pageSize
        listConfig.debounce = DebounceKey("search", delay: .milliseconds(200))
        let list = PaginatorList<SearchHit, Int64>(
            CallbackPaginator(dataSource: source, config: config), config: listConfig)
        self.list = list
        subscription = service.database.changes.subscribe { changes in
            for change in changes {
                switch change {
                case .changed(let message, _):
                    list.edits.update(message.messageId) { hit in
                        var hit = hit
                        // Where the words are in another text, the next search says.
                        if hit.message.content != message.content { hit.excerpt = [.init(message.content)] }
                        hit.message = message
                        return hit
                    }
                case .removed(let ids, _): for id in ids { list.edits.remove(id) }
                default: break
                }
            }
        }
        observation = list.observe(onMain: { [weak self] update in self?.show(update) })
    }

    deinit { observation?.cancel() }

    /// Calls `handler` with the state, now and after each change.
    package func onChange(_ handler: @escaping (SearchState) -> Void) { emitter.setHandler(handler) }

    /// Waits for a state; throws when the task is cancelled first.
    @discardableResult
    package func first(
        where isMet: (SearchState) -> Bool, file: StaticString = #fileID, line: UInt = #line
    ) async throws -> SearchState {
        try await emitter.first(where: isMet, file: file, line: line)
    }

    // MARK: Intents

    /// Takes what is in the search field, after each key.
    package func type(_ text: String) {
        guard text != state.text else { return }
        state.text = text
        state.isSearching = true
        list.show(scope: text)
        emitter.changed()
    }

    /// Says which hits are visible; more are found before the last of them is reached.
    package func show(visible: Range<Int>) { list.hint(visible: visible) }

    package func loadMore() { list.loadNext() }

    package func retry() { list.retry() }

    private func show(_ update: PaginatorListUpdate<SearchHit, Int64>) {
        guard !state.text.isEmpty else {
            state.hits = []
            state.isSearching = false
            return emitter.changed()
        }
        let status = update.status
        let isCurrent = status.scope == state.text && status.hasLoaded && !status.refresh.isLoading
        state.isSearching = !isCurrent
        state.hits = Array(update.snapshot)
        state.hasMore = isCurrent && status.hasNext
        state.errorMessage = status.refresh.error == nil ? nil : service.texts.messagesNotSearched
        emitter.changed()
    }
}
