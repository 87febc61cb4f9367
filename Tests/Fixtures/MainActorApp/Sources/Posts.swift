import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorHTTP
import PaginatorLists
import PaginatorSQLiteStore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a server sends, a list shows and the store keeps. Everything else in this module belongs to the main actor.
nonisolated struct Post: Codable, Identifiable, Hashable, Sendable {
    let id: Int
    var text: String
}

/// A screen over a list, a store and a server.
final class PostScreen {
    private let feed: CallbackPaginator<Post>
    private let list: PaginatorList<Post, Int>
    private var observation: PaginatorExecution?
    private(set) var rows: [Post] = []

    init(folder: String) throws {
        var options = HTTPSourceOptions()
        // The server is a closure: nothing here needs a network.
        options.session = HTTPSession(transport: { request in
            let ids = request.url?.query()?.contains("page=2") == true ? 4...5 : 1...3
            let posts = ids.map { "{\"id\": \($0), \"text\": \"post \($0)\"}" }.joined(separator: ",")
            guard let url = request.url,
                let answer = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])
            else { throw URLError(.badURL) }
            return (Data("[\(posts)]".utf8), answer)
        })
        let source = HTTPDataSource<Post>(
            "https://api.example.com/posts", style: .pageNumber(page: "page", size: "size"), options: options)
        feed = CallbackPaginator(
            dataSource: source, store: try SQLitePageStore<Post>(path: folder + "/pages.sqlite", namespace: "posts"))
        var config = PaginatorListConfig()
        config.pageSize = 3
        list = PaginatorList(feed, config: config)
        observation = list.observe(onMain: { [weak self] update in
            guard let self else { return }
            update.difference.apply(to: &rows)
        })
    }

    /// Loads all, likes a post, and returns the first page as it is then.
    func load() async throws -> [Post] {
        try await list.refreshAndWait()
        list.loadNext()
        while rows.count < 5 { await Task.yield() }
        let edit = list.edits.begin(2) { Post(id: $0.id, text: "liked") }
        edit.commit()
        while rows[1].text != "liked" { await Task.yield() }
        let page = try await feed.fetch(key: "1", pageSize: 3)
        try await feed.shutdownAndWait()
        return page.content
    }
}
