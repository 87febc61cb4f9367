import Foundation
import PaginatorCore
import PaginatorSQLiteStore

struct Post: Codable, Sendable {
    let id: Int
    let text: String
}

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("paginator-keep-on-disk").path
let store = try SQLitePageStore<Post>(path: folder + "/pages.sqlite", namespace: "feed")
let posts = ArrayDataSource((1...95).map { Post(id: $0, text: "post \($0)") })
let feed = CallbackPaginator(dataSource: posts, store: store)

feed.fetch(key: posts.firstKey, pageSize: 30) { result in
    if case .success(let fetched) = result { print("\(fetched.page.content.count) posts from \(fetched.origin)") }
    feed.shutdown { _ in exit(0) }
}
dispatchMain()
