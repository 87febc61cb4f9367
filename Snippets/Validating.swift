// Pages that are refused before they are cached, and cached pages that are too old to be used without a reload.
import PaginatorAsync
import PaginatorCore

nonisolated struct Post: Sendable {
    let id: Int
    let text: String
}

let posts = ArrayDataSource((0..<60).map { Post(id: $0, text: $0 == 45 ? "" : "post \($0)") })

// Refuses a page that contains a post without text. A cached page older than an hour is used, and reloaded.
let complete = AnyPageValidator<Post>.closure { page, _ in
    page.content.allSatisfy { !$0.text.isEmpty } ? .accept : .fail(reason: "A post has no text.")
}
let feed = CallbackPaginator(
    dataSource: posts, validator: complete.and(.expiry(maxAge: .hours(1), verdict: .useButRefresh)))

let page = try await feed.fetch(key: "0", pageSize: 30)
print(page.content.count, "posts")
do {
    _ = try await feed.fetch(key: "30", pageSize: 30)
} catch {
    // The page is in no cache.
    print(error.code, feed.peek(key: "30", pageSize: 30) == nil)
}
