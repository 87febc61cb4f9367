import Foundation
import PaginatorCore

struct Post: Sendable, Identifiable {
    let id: Int
    let text: String
    var isLiked = false
}

let posts = ArrayDataSource((1...95).map { Post(id: $0, text: "post \($0)") })
let feed = CallbackPaginator(dataSource: posts)
let list = PaginatorList(feed)

// Every state of the list: its items, what has changed, and what is loading; `onMain:` is the form for a screen.
let observation = list.observe { update in
    let (posts, next) = (update.snapshot, update.status.next)
    print("\(posts.count) posts, \(posts.count { $0.isLiked }) liked\(next.isLoading ? ", loading" : "")")
    if next.isEndReached { exit(0) }
    // A screen calls it when the user nears the end, or says with `hint(visible:)` which rows are on the screen.
    if update.status.hasLoaded, !next.isLoading, next.error == nil { list.loadNext() }
}
list.loadNext()

// Shows wherever the post is shown, before the server has answered; `rollBack()` takes it back.
let like = list.edits.begin(3) { Post(id: $0.id, text: $0.text, isLiked: true) }
like.commit()
dispatchMain()
