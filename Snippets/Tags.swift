import Foundation
import PaginatorCore

// Each page says what it is about. Here the source is a closure; an HTTP source has `options.tags`.
let posts = CallbackPaginator(
    dataSource: ClosureDataSource<String>(firstKey: "0") { request in
        PaginatorPage(content: ["a post"], key: request.key, tags: ["posts"])
    })
let counts = CallbackPaginator(
    dataSource: ClosureDataSource<Int>(firstKey: "all") { request in
        PaginatorPage(content: [1], key: request.key, tags: ["posts", "authors"])
    })
let group = ConsistencyGroup<Never>()
group.join(posts)
group.join(counts)

posts.fetch(key: "0", pageSize: 30) { _ in
    // After a POST to /posts, every page about posts is stale, in every paginator of the group. Lists report that their
    // pages are stale, and `refresh(.stalePages)` reloads them.
    group.invalidate(tags: ["posts"])
    posts.fetch(key: "0", pageSize: 30) { result in
        if case .success(let page) = result { print("from", page.origin) }
        exit(0)
    }
}
dispatchMain()
