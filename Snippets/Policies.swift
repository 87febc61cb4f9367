import PaginatorCore

var config = DefaultPaginatorConfig()
config.dispatchQueue = .main
config.inMemoryEvictionStrategy = .lru(maxPages: 200).and(.timeToLive(.days(15))).keepingAtLeast(items: 50)
config.errorStrategy = .neverServeCached

let feed = CallbackPaginator(dataSource: ArrayDataSource(Array(1...95)), config: config)

// Nothing but the cache: a page at once, or an error.
feed.fetch(key: "0", pageSize: 30, policy: .cacheOnly) { result in print(result) }

// The source, with the cached page after two seconds or after a failure.
feed.fetch(key: "0", pageSize: 30, policy: .networkFirst(fallbackAfter: .seconds(2))) { result in print(result) }

// What is in memory, without a callback; nil when the page is not there.
if let fetched = feed.peek(key: "0", pageSize: 30) { print(fetched.page.content, fetched.age, fetched.isStale) }

// A pull to refresh: what is shown stays, and the next fetch of each page asks the source again.
feed.invalidate(.all)

// The scroll position nears the end: load what comes next, behind everything that somebody waits for.
feed.prefetch(keys: ["30", "60"], pageSize: 30)
