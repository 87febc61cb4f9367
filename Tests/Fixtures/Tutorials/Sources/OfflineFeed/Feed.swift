import PaginatorCore
import PaginatorHTTP
import PaginatorLists
import PaginatorSQLiteStore

/// The feed of a server, with its pages on disk.
struct Feed {
    let paginator: CallbackPaginator<Post>
    let list: PaginatorList<Post, Post.ID>

    init(of server: Server, in folder: String, connectivity: any PaginatorConnectivity) throws {
        // Where pages come from.
        var options = HTTPSourceOptions()
        options.session = HTTPSession(transport: { try await server.answer($0) })
        let source = HTTPDataSource<Post>(
            "https://feed.example.com/posts", style: .pageNumber(size: "size"), options: options)

        // Where they are saved.
        let store = try SQLitePageStore<Post>(path: folder + "/pages.sqlite", namespace: "feed")

        // The paginator asks `connectivity` whether there is a connection.
        var config = PaginatorConfig()
        config.connectivity = connectivity
        paginator = CallbackPaginator(dataSource: source, store: store, config: config)

        // The list shows a cached page at once, and reloads it if it is stale.
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        listConfig.policy = .staleWhileRevalidate
        listConfig.addressing = .pageNumber()
        list = PaginatorList(paginator, config: listConfig)
    }
}
