import AppFoundation
import Foundation
import PaginatorAsync
import PaginatorCore

extension FeedAPI {
    private static let seenPrefix = "seen:"

    /// Creates the search, with the text as scope: posts that the server finds, or without it, seen posts.
    func makeSearch(
        _ index: SearchIndex, _ environment: AppEnvironment, log: AppLog?
    ) -> CallbackPaginator<SearchHit> {
        let everything = AsyncDataSource<SearchHit>(
            firstKey: "first", errorRule: { ($0 as? APIError).map { SourceError($0) } ?? .retry($0) },
            load: { request in
                guard !request.scope.isEmpty else { return PaginatorPage(content: [], key: request.key) }
                guard environment.state.isOnline, !request.key.hasPrefix(Self.seenPrefix) else {
                    throw APIError(.unreachable)
                }
                let answer = try await search(
                    request.scope, after: request.isFirst ? nil : request.key, limit: request.pageSize)
                let posts = answer.feed.map(\.model)
                await index.add(posts, loggingTo: log)
                let hits = posts.map { post in
                    SearchHit(
                        id: post.id, summary: post.summary, authorName: post.author.name,
                        authorImagePath: post.author.imagePath, isFromServer: true)
                }
                // A later search finds new posts.
                return PaginatorPage(
                    content: hits, key: request.key, expirationTime: Date(timeIntervalSinceNow: 30),
                    nextKey: answer.paging.next)
            })
        let seen = AsyncDataSource<SearchHit>(firstKey: "first") { request in
            let last = Int64(request.key.dropFirst(Self.seenPrefix.count)) ?? .max
            let hits = try await index.search(request.scope, before: last, limit: request.pageSize)
            // Only the server can tell that nothing was found.
            if request.isFirst, hits.isEmpty { throw APIError(.unreachable) }
            let next = hits.count < request.pageSize ? nil : hits.last.map { "\(Self.seenPrefix)\($0.id)" }
            // Expired at once, so that the next search calls the server first.
            return PaginatorPage(content: hits, key: request.key, expirationTime: Date(), nextKey: next)
        }
        // It calls the source without a connection too, which then finds seen posts.
        var config = PaginatorConfig()
        config.maxAttempts = 1
        config.observer = log?.observer("search")
        config.inMemoryEvictionStrategy = .lru(maxPages: 50)
        let source = everything.fallback(
            to: seen, after: .seconds(4),
            when: { failure, request in
                // Who is signed out is told so.
                (failure.underlying as? APIError)?.kind != .tokenRefused
                    && (request.isFirst || request.key.hasPrefix(Self.seenPrefix))
            })
        return CallbackPaginator(dataSource: source, config: config)
    }
}
