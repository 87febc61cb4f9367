// A page of fifty rows over a slow link: ten of them first, enough for the screen, and the rest later.
import Foundation
import PaginatorCore

// An HTTP source supports parts automatically if its style can. Your own source reads what is requested.
let posts = ClosureDataSource(firstKey: "0") { (request: SourceRequest) -> PaginatorPage<String> in
    let all = (1...50).map { "post \($0)" }
    // Where the part that the paginator has ends, and how many items are enough.
    let start = request.continuation.flatMap { Int($0) } ?? 0
    var end = all.count
    if case .items(let items) = request.part { end = min(end, max(items, start + 1)) }
    print("the source is asked for rows", start, "to", end)
    return PaginatorPage(
        content: Array(all[start..<end]), key: request.key, continuation: end < all.count ? String(end) : nil)
}
let feed = CallbackPaginator(dataSource: posts)

feed.fetch(key: posts.firstKey, pageSize: 50, part: .items(10)) { result in
    guard case .success(let first) = result else { exit(1) }
    print(first.content.count, "posts, partial:", first.isPartial)

    // Nothing is loaded twice: the parts are joined in memory.
    feed.fetch(key: posts.firstKey, pageSize: 50) { result in
        guard case .success(let whole) = result else { exit(1) }
        print(whole.content.count, "posts, partial:", whole.isPartial)
        exit(0)
    }
}
dispatchMain()
