// A service in front of a slow one: answers come from memory, and expired pages are reloaded in the background.
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

var config = PaginatorConfig()
// One answer, which never waits if the page is cached, even if it is older than a minute.
config.defaultPolicy = .cacheThenRenew
config.inMemoryEvictionStrategy = .adaptive(maxBytes: 256_000_000)
config.maxParallelCalls = 16
let pages = CallbackPaginator(dataSource: catalog, config: config)

/// Called by a route: a thousand requests for one page cause one call of the catalog.
func products(from key: String, language: String) async throws -> [Product] {
    try await pages.fetch(key: key, pageSize: 50, scope: language).content
}

print(try await products(from: "0", language: "en").count)
// After a write: the pages are known to be wrong, so the next request waits for a new page.
pages.invalidate(tags: ["products"])
print(try await products(from: "0", language: "en").count, "after", pages.counters[.loadStarted], "loads")
try await pages.shutdownAndWait()
