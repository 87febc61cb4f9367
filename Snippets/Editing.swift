// Likes, deletes and inserts that are shown at once, and undone if the server refuses them.
import Foundation
import PaginatorAsync
import PaginatorCore
import PaginatorLists

nonisolated struct Post: Sendable, Identifiable {
    let id: Int
    var isLiked = false
}
struct Refused: Error {}

/// Stands for a server that refuses every second request.
@Sendable func send(_ request: Int, _ completion: @escaping @Sendable (Result<Post, Refused>) -> Void) {
    completion(request.isMultiple(of: 2) ? .failure(Refused()) : .success(Post(id: request, isLiked: true)))
}

let feed = CallbackPaginator(dataSource: ArrayDataSource((1...5).map { Post(id: $0) }))
let list = PaginatorList(feed)
let edits = list.edits

/// Shows the like at once, in every page and list, and commits it when the server has answered.
@Sendable func like(_ id: Int) {
    let edit = edits.begin(id) { Post(id: $0.id, isLiked: true) }
    send(id) { result in
        switch result {
        // The server's value, which may differ from the value that was shown.
        case .success(let post): edit.commit(with: post)
        case .failure: edit.rollBack()
        }
    }
}

/// Signs the user out: when it returns, the list has no rows, and no page is in memory or in the store.
func logOut() async throws(PaginatorError) {
    // Each list: stops its loads, and removes its rows.
    list.reset()
    // Removes the pages and ends the pending edits: an answer that comes later commits nothing.
    try await feed.clearAllAndWait()
}

list.refresh { _ in
    like(1)
    like(2)
    // Committed immediately, for example after a push message.
    edits.update(4) { Post(id: $0.id, isLiked: true) }
    edits.remove(5)
    edits.insert(Post(id: 6), at: .head)
    // The row is hidden at once. The user taps "Undo"; without that, the server is asked, and the edit committed.
    let deletion = edits.begin(3) { _ in nil }
    deletion.rollBack()
    list.observe { update in
        print(update.snapshot.map { "\($0.id)\($0.isLiked ? " liked" : "")" })
        if update.snapshot.count == 5, update.snapshot[id: 1]?.isLiked == true { exit(0) }
    }
}
dispatchMain()
