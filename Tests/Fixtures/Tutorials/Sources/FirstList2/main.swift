import PaginatorAsync
import PaginatorCore
import PaginatorLists

nonisolated struct Post: Identifiable, Sendable {
    let id: Int
    var text: String
}

let posts = ArrayDataSource((1...95).map { Post(id: $0, text: "post \($0)") })
let feed = PaginatorList(CallbackPaginator(dataSource: posts))

feed.loadNext()
for await update in feed.states() where update.status.hasLoaded && !update.status.next.isLoading {
    print("\(update.snapshot.count) rows, the last one is \(update.snapshot.last?.text ?? "none")")
    if update.status.next == .endReached { break }
    feed.loadNext()
}
