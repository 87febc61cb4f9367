import PaginatorAsync
import PaginatorCore

/// A cache that the app fills becomes a paginator that fills its cache itself.
func makePages(_ api: any PostAPI) -> CallbackPaginator<Post> {
    let source = AsyncDataSource(firstKey: "1") { request in
        let number = Int(request.key) ?? 1
        let posts = try await api.posts(page: number, size: request.pageSize)
        return PaginatorPage(content: posts, key: request.key, nextKey: posts.isEmpty ? nil : String(number + 1))
    }
    var config = PaginatorConfig()
    // `countLimit` and `totalCostLimit`.
    config.inMemoryEvictionStrategy = .lru(maxPages: 100, maxBytes: 10_000_000)
    return CallbackPaginator(dataSource: source, config: config)
}

func use(_ pages: CallbackPaginator<Post>) async throws {
    // The page, from memory or from the API. A second caller of the same page joins the load of the first one.
    let page = try await pages.fetch(key: "1", pageSize: 20)
    print(page.content.count, "from", page.origin)
    // `object(forKey:)`, or `value(forKey:)`: the cached page, without a load.
    if let page = pages.peek(key: "1", pageSize: 20) { print(page.content.count, "in memory") }
    // `removeObject(forKey:)`, and `removeAllObjects()`.
    try await pages.clearAndWait(key: "1")
    try await pages.clearAllAndWait()
}
