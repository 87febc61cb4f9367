import PaginatorCore
import PaginatorLists

/// A view model: what a screen with notes shows.
@MainActor
package final class NoteListModel {
    package private(set) var titles: [String] = []
    package private(set) var message: String?
    package let list: PaginatorList<Note, Int>

    package init(source: some PaginatorDataSource<Note>, config: PaginatorConfig = PaginatorConfig()) {
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        list = PaginatorList(CallbackPaginator(dataSource: source, config: config), config: listConfig)
        list.observe(onMain: { [weak self] update in
            self?.titles = update.snapshot.map(\.text)
            self?.message = (update.status.refresh.error ?? update.status.next.error).map { _ in
                "The notes could not be loaded."
            }
        })
    }
}

/// A piece of the app that needs any paginator: the text of the newest note.
package struct NewestNote: Sendable {
    private let paginator: any Paginator<Note>

    package init(_ paginator: any Paginator<Note>) {
        self.paginator = paginator
    }

    package func load(_ completion: @escaping @Sendable (String) -> Void) {
        paginator.fetch(
            PageRequest(key: "newest", pageSize: 1),
            listener: TextListener { completion($0) })
    }
}

/// `@unchecked Sendable`: its state never changes.
private final class TextListener: PaginatorFetchListener<Note>, @unchecked Sendable {
    private let completion: @Sendable (String) -> Void

    init(_ completion: @escaping @Sendable (String) -> Void) {
        self.completion = completion
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<Note>, PaginatorError>) {
        switch result {
        case .success(let fetched): completion(fetched.page.content.first?.text ?? "There are no notes.")
        case .failure: completion("The notes could not be loaded.")
        }
    }
}
