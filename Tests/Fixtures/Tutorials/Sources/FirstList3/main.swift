import PaginatorAsync
import PaginatorCore
import PaginatorLists

nonisolated struct Post: Identifiable, Sendable {
    let id: Int
    var text: String
}

/// A server with 95 posts. The first request for its third page fails.
actor Server {
    private var isBroken = true

    func posts(from start: Int, count: Int) throws -> [Post] {
        if start == 60, isBroken {
            isBroken = false
            throw SourceError.fatal(Refused())
        }
        return (min(start, 95)..<min(start + count, 95)).map { Post(id: $0 + 1, text: "post \($0 + 1)") }
    }
}

struct Refused: Error {}

let server = Server()
let source = AsyncDataSource(firstKey: "0") { request in
    guard let start = Int(request.key) else { throw SourceError.keyExpired(Refused()) }
    let posts = try await server.posts(from: start, count: request.pageSize)
    let isLast = posts.count < request.pageSize
    return PaginatorPage(content: posts, key: request.key, nextKey: isLast ? nil : String(start + posts.count))
}
let feed = PaginatorList(CallbackPaginator(dataSource: source))

feed.loadNext()
for await update in feed.states() where update.status.hasLoaded && !update.status.next.isLoading {
    let footer = update.status.next.error == nil ? "" : ", and a button: try again"
    print("\(update.snapshot.count) rows, the last one is \(update.snapshot.last?.text ?? "none")\(footer)")
    if update.status.next == .endReached { break }
    if update.status.next.error == nil { feed.loadNext() } else { feed.retry() }
}
