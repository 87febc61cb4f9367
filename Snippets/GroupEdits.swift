import Foundation
import PaginatorCore
import PaginatorLists

/// A post; the feed shows a preview of it, and another screen the details.
nonisolated struct Preview: Sendable, Identifiable {
    let id: Int
    var likes: Int
}
nonisolated struct Detail: Sendable, Identifiable {
    let id: Int
    var likes: Int
    let text: String
}
nonisolated struct Liked: Sendable {
    let id: Int
    var likes: Int
}

let previews = PaginatorList(CallbackPaginator(dataSource: ArrayDataSource([Preview(id: 7, likes: 1)])))
let details = PaginatorList(CallbackPaginator(dataSource: ArrayDataSource([Detail(id: 7, likes: 1, text: "…")])))
let group = ConsistencyGroup<Liked>()
group.join(previews.edits) { liked in (liked.id, { Preview(id: $0.id, likes: liked.likes) }) }
group.join(details.edits) { liked in (liked.id, { Detail(id: $0.id, likes: liked.likes, text: $0.text) }) }

let observation = previews.observe { update in
    let likes = update.snapshot.first?.likes ?? 0
    print("previews:", likes, "details:", details.snapshot.first?.likes ?? 0)
    if likes == 3 { exit(0) }
}
previews.loadNext()
details.refresh { _ in
    // Shown at once, in both lists. The server's answer includes another user's like.
    let like = group.begin(Liked(id: 7, likes: 2))
    like.commit(with: Liked(id: 7, likes: 3))
}
dispatchMain()
