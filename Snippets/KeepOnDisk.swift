import Foundation
import PaginatorCore
import PaginatorSQLiteStore

nonisolated struct Post: Codable, Sendable {
    let id: Int
    let text: String
}

// The folder is created if it does not exist. The system may empty this one when space is short.
let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
let folder = caches.appending(path: "paginator-keep-on-disk").path
let store = try SQLitePageStore<Post>(path: folder + "/pages.sqlite", namespace: "feed")
let posts = ArrayDataSource((1...95).map { Post(id: $0, text: "post \($0)") })
let feed = CallbackPaginator(dataSource: posts, store: store)

feed.fetch(key: posts.firstKey, pageSize: 30) { result in
    if case .success(let page) = result { print("\(page.content.count) posts from \(page.origin)") }
    // Pages are written shortly after they were fetched; `shutdown` writes the rest.
    feed.shutdown { _ in exit(0) }
}
dispatchMain()
