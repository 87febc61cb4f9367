// Which pages stay in memory and on disk: one line for each kind of app.
import Foundation
import PaginatorCore
import PaginatorSQLiteStore

var config = PaginatorConfig()

// A feed that is scrolled down and up again: the default adapts to how pages are used.
config.inMemoryEvictionStrategy = .adaptive(maxPages: 200)

// Pages of very different sizes, such as images: a limit on bytes, which the source sets in `byteCount`.
config.inMemoryEvictionStrategy = .adaptive(maxBytes: 50_000_000)

// News: nothing older than a day, but at least 50 items stay, whatever their age.
config.inMemoryEvictionStrategy = .lru(maxPages: 100).and(.timeToLive(.days(1))).keepingAtLeast(items: 50)

// A catalog whose bestsellers are read again and again: the pages with the fewest reads go first.
config.inMemoryEvictionStrategy = .lfu(maxItems: 5_000)

// On disk: 20 MB. What is older than a month is stale, and deleted if the app runs when the month ends.
let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
let folder = caches.appending(path: "paginator-evicting").path
let store = try SQLitePageStore<String>(
    path: folder + "/evicting.sqlite", evictionStrategy: .adaptive(maxBytes: 20_000_000).and(.timeToLive(.days(30))))

let feed = CallbackPaginator(dataSource: ArrayDataSource(["a", "b", "c"]), store: store, config: config)
feed.fetch(key: "0", pageSize: 2) { _ in
    // How many pages were evicted from memory, by cause.
    print(feed.counters.evictions)
    exit(0)
}
dispatchMain()
