// A list that follows its server: changes appear automatically, new posts are counted until the user wants to see them.
import Foundation
import PaginatorCore
import PaginatorHTTP
import PaginatorLists

nonisolated struct Post: Decodable, Identifiable, Sendable {
    let id: Int
    let version: Int
}

nonisolated enum PostChange: Decodable, Sendable {
    case updated(Post)
    case removed(id: Int)
    case added(Post)
}

/// What the app has saved at its last launch.
nonisolated struct Saved: Sendable {
    var lastEventID: String? {
        get { UserDefaults.standard.string(forKey: "posts.lastEvent") }
        nonmutating set { UserDefaults.standard.set(newValue, forKey: "posts.lastEvent") }
    }
}

let saved = Saved()
let paginator = CallbackPaginator(
    dataSource: HTTPDataSource<Post>("https://api.example.com/posts", style: .cursor("after", from: "next")))
let changes = PushSource<PostChange>.serverSentEvents("https://api.example.com/posts/events") { name, data in
    switch name {
    case "post": .change(try JSONDecoder().decode(PostChange.self, from: Data(data.utf8)))
    case "new-posts": .newRows(Int(data) ?? 1)
    case "reset": .missed
    default: nil
    }
}
let edits = paginator.edits(id: { (post: Post) in post.id })
paginator.follow(changes, from: saved.lastEventID, onApplied: { saved.lastEventID = $0 }) { change in
    switch change {
    case .updated(let post): edits.update(post.id) { $0.version < post.version ? post : $0 }
    case .removed(let id): edits.remove(id)
    // In the lists of which scope, and where. For a chat: `at: .tail`, and the scope of its conversation.
    case .added(let post): edits.insert(post, at: .head, scope: "")
    }
}

// The list says "2 new posts"; a tap on it loads them above the rows that are there.
let list = PaginatorList(paginator)
let observation = list.observe { update in
    print(update.snapshot.count, "posts,", update.status.newAbove, "new ones")
    // Here nobody taps, and the first update ends the program.
    if update.status.newAbove > 0 { list.refresh(.firstPage) }
    if let error = update.status.refresh.error { print("no posts: \(error)") }
    if update.status.hasLoaded || update.status.refresh.error != nil { exit(0) }
}
list.loadNext()
dispatchMain()
