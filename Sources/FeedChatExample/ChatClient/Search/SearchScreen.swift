import AppFoundation
package import PaginatorCore
import PaginatorLists

/// The state of a search.
package struct SearchState: Sendable, Hashable {
    /// The search text.
    package var text = ""
    /// The hits, newest first; while a search runs, those of the one before.
    package var hits: [SearchHit] = []
    package var isSearching = false
    /// Whether there are more hits, which are loaded on scrolling.
    package var hasMore = false
    package var errorMessage: String?

    /// Whether to show that nothing was found.
    package var isNothingFound: Bool { !text.isEmpty && !isSearching && hits.isEmpty && errorMessage == nil }

    package init() {}
}

/// The search of one conversation or of all, on this device. While the user types, only the last text of a burst is
/// searched for.
@MainActor package final class SearchScreen {
    package private(set) var state = SearchState()
    private let service: ChatService
    private let list: PaginatorList<SearchHit, Int64>
    private let subscription: ChatSubscription
    private var observation: PaginatorExecution?
    private lazy var emitter = Emitter<SearchState> { [weak self] in self?.state }

    /// - Parameters:
    ///   - contactId: the conversation; `nil` searches all.
    ///   - pageSize: the number of hits per page.
    package init(
        _ service: ChatService, in contactId: String? = nil, pageSize: Int = 30,
        config: PaginatorConfig = DefaultPaginatorConfig()
    ) {
        self.service = service
        var config = config
        // The database has the answer, which changes.
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
                        // The positions of the matches in a changed text are unknown until the next search.
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

    /// Handles a change of the search field.
    package func type(_ text: String) {
        guard text != state.text else { return }
        state.text = text
        state.isSearching = true
        list.show(scope: text)
        emitter.changed()
    }

    /// Reports the visible hits; more are loaded before the last one is reached.
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
