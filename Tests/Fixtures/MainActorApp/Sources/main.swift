import Foundation
import PaginatorCore

/// Pages of numbers, as an app would get them from its server. It is called on background threads.
nonisolated struct Numbers: PaginatorDataSource {
    let firstKey = "0"

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Int>, SourceError>) -> Void
    ) -> SourceCancellation {
        let start = Int(request.key) ?? 0
        let end = start + request.pageSize
        completion(.success(PaginatorPage(content: Array(start..<end), key: request.key, nextKey: "\(end)")))
        return .none
    }
}

/// A screen as an app writes it: like everything in this module it belongs to the main actor.
final class Screen {
    private let paginator: CallbackPaginator<Int>
    private(set) var rows: [Int] = []

    init() {
        var config = PaginatorConfig()
        config.dispatchQueue = .main
        paginator = CallbackPaginator(dataSource: Numbers(), config: config)
    }

    /// The closure form for the main actor: no annotation and no hop by hand.
    func loadFirst(then next: @escaping () -> Void) {
        paginator.fetch(
            key: "0", pageSize: 3,
            onMain: { [weak self] result in
                if case .success(let fetched) = result { self?.rows += fetched.page.content }
                next()
            })
    }

    /// The listener form: callbacks come on the main queue, so a listener may say that it is there.
    func loadNext(then next: @escaping () -> Void) {
        paginator.fetch(
            key: "3", pageSize: 3,
            listener: ScreenListener { [weak self] fetched in
                self?.rows += fetched.page.content
                next()
            })
    }
}

/// `@unchecked Sendable`: `show` never changes, and is called on the main queue alone.
nonisolated final class ScreenListener: PaginatorFetchListener<Int>, @unchecked Sendable {
    private let show: @MainActor (FetchedPage<Int>) -> Void

    init(show: @escaping @MainActor (FetchedPage<Int>) -> Void) {
        self.show = show
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<Int>, PaginatorError>) {
        guard case .success(let fetched) = result else { return }
        MainActor.assumeIsolated { show(fetched) }
    }
}

let screen = Screen()
screen.loadFirst {
    screen.loadNext {
        print("rows: \(screen.rows)")
        guard screen.rows == [0, 1, 2, 3, 4, 5] else {
            print("main actor app: wrong rows")
            exit(1)
        }
        Task {
            do {
                let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
                let posts = try PostScreen(folder: folder)
                let page = try await posts.load()
                print("posts: \(posts.rows.map(\.id)), \(page.map(\.text))")
                try FileManager.default.removeItem(atPath: folder)
                let isRight =
                    posts.rows.map(\.id) == [1, 2, 3, 4, 5] && page.map(\.text) == ["post 1", "liked", "post 3"]
                print(isRight ? "main actor app: ok" : "main actor app: wrong posts")
                exit(isRight ? 0 : 1)
            } catch {
                print("main actor app: \(error)")
                exit(1)
            }
        }
    }
}
dispatchMain()
