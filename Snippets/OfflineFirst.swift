// Shows saved pages at once, also without a connection, and reloads them when there is one.
import Foundation
import PaginatorCore
import PaginatorHTTP
import PaginatorLists
import PaginatorSQLiteStore

nonisolated struct Post: Codable, Identifiable, Sendable {
    let id: Int
    let text: String
}

let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
let folder = caches.appending(path: "paginator-offline-first").path
let store = try SQLitePageStore<Post>(path: folder + "/pages.sqlite", namespace: "feed")

var config = PaginatorConfig()
// On Apple's platforms use `SystemConnectivity()`; elsewhere a server is probed.
if let server = URL(string: "https://api.example.com/health") {
    config.connectivity = SystemConnectivity(probing: server)
}
config.defaultPolicy = .staleWhileRevalidate

let posts = ArrayDataSource((1...95).map { Post(id: $0, text: "post \($0)") })
let list = PaginatorList(CallbackPaginator(dataSource: posts, store: store, config: config))
let observation = list.observe { update in
    switch update.status.freshness {
    case .offline(let savedAt)?: print("offline, saved at", savedAt)
    case .stale(let savedAt)?: print("of", savedAt, "there may be newer posts")
    case .failed(let error, let savedAt)?: print("of", savedAt, "since", error.code)
    case .fresh?: print(update.snapshot.count, "posts")
    case nil: return
    }
    // Pages are written shortly after they were loaded.
    list.paginator.flush { _ in exit(0) }
}
list.loadNext()
dispatchMain()
