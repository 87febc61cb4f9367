import Foundation
import PaginatorCore
import PaginatorLists

nonisolated struct Post: Sendable, Identifiable {
    let id: Int
    let text: String
    var isLiked = false
}

let posts = ArrayDataSource((1...95).map { Post(id: $0, text: "post \($0)") })
let feed = CallbackPaginator(dataSource: posts)
let list = PaginatorList(feed)

// Receives every state of the list: its items, what changed, what is loading. A screen uses `observe(onMain:)`.
let observation = list.observe { update in
    let (posts, next) = (update.snapshot, update.status.next)
    print("\(posts.count) posts, \(posts.count { $0.isLiked }) liked\(next.isLoading ? ", loading" : "")")
    if next == .endReached { exit(0) }
    // A screen calls `loadNext()` near the end, or passes the visible rows to `hint(visible:)`.
    if update.status.hasLoaded, !next.isLoading, next.error == nil { list.loadNext() }
}

// Loads the first page. Then the user likes a post: the like is shown at once. `commit()` keeps it when the server has
// accepted it, `rollBack()` undoes it.
list.refresh { error in
    guard error == nil else { exit(1) }
    let like = list.edits.begin(3) { Post(id: $0.id, text: $0.text, isLiked: true) }
    like.commit()
}
dispatchMain()
