import Foundation
import PaginatorCore

var config = PaginatorConfig()
// Callbacks run on the main queue, which the code of a screen needs.
config.dispatchQueue = .main
// At most 200 pages, none older than 15 days; but never fewer than 50 items.
config.inMemoryEvictionStrategy = .lru(maxPages: 200).and(.timeToLive(.days(15))).keepingAtLeast(items: 50)

let feed = CallbackPaginator(dataSource: ArrayDataSource(Array(1...95)), config: config)

// Only the caches: a page or the error `notInCache`, as here, since nothing has been fetched yet.
feed.fetch(key: "0", pageSize: 30, policy: .cacheOnly) { result in
    if case .failure(let error) = result { print(error.code) }
}

// Near the end of the visible rows: load the next pages, with lower priority than pages that a caller waits for.
feed.prefetch(keys: ["30", "60"], pageSize: 30)

// The source first; the cached page if the source fails or takes longer than two seconds.
feed.fetch(key: "0", pageSize: 30, policy: .networkFirst(fallbackAfter: .seconds(2))) { result in
    if case .success(let page) = result { print("from", page.origin) }

    // The page in memory, without a callback; `nil` if it is not there.
    if let page = feed.peek(key: "0", pageSize: 30) { print("in memory:", page.content.count, "stale:", page.isStale) }

    // Every page becomes stale: it stays visible, and the next fetch loads it again.
    feed.invalidate(.all)
    exit(0)
}
dispatchMain()
