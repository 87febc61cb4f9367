import PaginatorAsync
import PaginatorCore

let posts = AsyncDataSource(firstKey: "0") { request in
    guard let start = Int(request.key) else { throw SourceError.keyExpired(UnknownPage(key: request.key)) }
    try await Task.sleep(for: .milliseconds(20))
    let content = (start..<min(start + request.pageSize, 95)).map { "post \($0)" }
    let next = start + request.pageSize
    return PaginatorPage(content: content, key: request.key, nextKey: next < 95 ? String(next) : nil)
}
let feed = CallbackPaginator(dataSource: posts)

/// The key of a page that there is not.
struct UnknownPage: Error {
    let key: String
}

// One page. From memory it comes without a suspension, also on the main actor.
let page = try await feed.fetch(key: posts.firstKey, pageSize: 30)
print(page.content.count, "posts, next:", page.nextKey ?? "none")

// Every page from there on; each is fetched when the loop asks for it.
for try await page in feed.pages(from: posts.firstKey, pageSize: 30) { print("page", page.key) }

// Items, with the next page loading meanwhile. The loop ends, and the load with it.
for try await post in feed.items(from: posts.firstKey, pageSize: 30, loadsAhead: true).prefix(40) { print(post) }

// A page and its neighbors, the nearest first.
for try await (page, distance) in feed.fetchAround(key: "30", pageSize: 30, depthLevel: 1) {
    print("page", page.key, "at", distance)
}

// Errors are typed, and a cancelled task cancels its fetch.
let search = Task { try await feed.fetch(key: "60", pageSize: 30, scope: "search") }
search.cancel()
do {
    _ = try await search.value
} catch let error as PaginatorError where error.code == .cancelled {
    print("cancelled")
}

/// Forgets everything: gone from memory, and from the disk if there is one, when it returns.
func logOut() async throws(PaginatorError) {
    try await feed.clearAllAndWait()
}
try await logOut()
