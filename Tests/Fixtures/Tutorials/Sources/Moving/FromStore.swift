import PaginatorAsync
import PaginatorCore
import PaginatorSQLiteStore

/// A store with a fetcher and a source of truth becomes a paginator with a data source and a store.
func makePosts(_ api: any PostAPI, path: String) throws -> CallbackPaginator<Post> {
    let fetcher = AsyncDataSource(firstKey: "1") { request in
        let number = Int(request.key) ?? 1
        let posts = try await api.posts(page: number, size: request.pageSize)
        return PaginatorPage(content: posts, key: request.key, nextKey: posts.isEmpty ? nil : String(number + 1))
    }
    let sourceOfTruth = try SQLitePageStore<Post>(path: path, namespace: "posts")
    var config = PaginatorConfig()
    // `MemoryPolicy.builder().setMaxSize(10).setExpireAfterWrite(10.minutes)`
    config.inMemoryEvictionStrategy = .lru(maxPages: 10).and(.timeToLive(.minutes(10)))
    return CallbackPaginator(dataSource: fetcher, store: sourceOfTruth, config: config)
}

func read(_ posts: CallbackPaginator<Post>) async throws {
    // `store.get(key)`
    let page = try await posts.fetch(key: "1", pageSize: 20)
    // `store.fresh(key)`
    let fresh = try await posts.fetch(key: "1", pageSize: 20, policy: .networkOnly)
    print(page.origin, fresh.origin)
    // `store.stream(StoreReadRequest.cached(key, refresh = true))`
    for try await page in posts.updates(key: "1", pageSize: 20) {
        print(page.content.count, "posts", page.isStale ? "of before" : "")
    }
    // `store.clear(key)` and `store.clear()`
    try await posts.clearAndWait(key: "1")
    try await posts.clearAllAndWait()
}
