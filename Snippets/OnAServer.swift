// A service in front of a slow one: each answer comes from memory, and what has expired is renewed behind it.
import Foundation
import PaginatorAsync
import PaginatorCore

nonisolated struct Product: Sendable {
    let id: Int
}

let catalog = AsyncDataSource<Product>(firstKey: "0") { request in
    try await Task.sleep(for: .milliseconds(20))
    return PaginatorPage(
        content: [Product(id: 1)], key: request.key, expirationTime: .now.addingTimeInterval(60), tags: ["products"])
}

var config = DefaultPaginatorConfig()
// One answer that never waits for a page that is there, also when it is older than a minute.
config.defaultPolicy = .cacheThenRenew
config.inMemoryEvictionStrategy = .adaptive(maxBytes: 256_000_000)
config.maxParallelCalls = 16
let pages = CallbackPaginator(dataSource: catalog, config: config)

/// What a route calls: a thousand requests for one page cause one call of the catalog.
func products(from key: String, language: String) async throws -> [Product] {
    try await pages.fetch(key: key, pageSize: 50, scope: language).content
}

print(try await products(from: "0", language: "en").count)
// After a write: known to be wrong now, so the next request waits for a new page.
pages.invalidate(tags: ["products"])
print(try await products(from: "0", language: "en").count, "after", pages.counters[.loadStarted], "loads")
pages.shutdown()
