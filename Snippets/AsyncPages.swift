import PaginatorAsync
import PaginatorCore

// Each load runs this closure in its own task.
let posts = AsyncDataSource(firstKey: "0") { request in
    guard let start = Int(request.key), (0...95).contains(start) else {
        throw SourceError.keyExpired(UnknownPage(key: request.key))
    }
    try await Task.sleep(for: .milliseconds(20))
    let content = (start..<min(start + request.pageSize, 95)).map { "post \($0)" }
    let (previous, next) = (start - request.pageSize, start + request.pageSize)
    return PaginatorPage(
        content: content, key: request.key, prevKey: previous >= 0 ? String(previous) : nil,
        nextKey: next < 95 ? String(next) : nil)
}

/// The error for a key that leads to no page.
struct UnknownPage: Error {
    let key: String
}

let feed = CallbackPaginator(dataSource: posts)

// One page. A fresh page in memory is returned without suspending, also on the main actor.
let page = try await feed.fetch(key: posts.firstKey, pageSize: 30)
print(page.content.count, "posts, next:", page.nextKey ?? "none")

// All pages from there on; each is fetched when the loop reaches it.
for try await page in feed.pages(from: posts.firstKey, pageSize: 30) { print("page", page.key) }

// Items, while the next page is loading. Leaving the loop stops that load.
for try await post in feed.items(from: posts.firstKey, pageSize: 30, loadsAhead: true).prefix(40) { print(post) }

// A page and its neighbors, the nearest first.
for try await (page, distance) in feed.fetchAround(key: "30", pageSize: 30, depthLevel: 1) {
    print("page", page.key, "at", distance)
}

// Errors are typed, and cancelling a task cancels its fetch.
let search = Task { try await feed.fetch(key: "60", pageSize: 30, scope: "search") }
search.cancel()
do {
    _ = try await search.value
} catch let error as PaginatorError where error.code == .cancelled {
    print("cancelled")
}

/// Removes every page from memory and from the store, and returns when they are gone.
func removeAllPages() async throws(PaginatorError) {
    try await feed.clearAllAndWait()
}
try await removeAllPages()
