import AppFoundation
import PaginatorAsync
import PaginatorCore

extension FeedAPI {
    /// Pages of comments on a post, by the post's id as scope; the newest first.
    func makeComments(_ environment: AppEnvironment) -> CallbackPaginator<Comment> {
        let source = AsyncDataSource<Comment>(
            firstKey: "first", errorRule: { ($0 as? APIError).map { SourceError($0) } ?? .retry($0) },
            load: { [self] request in
                let answer = try await comments(
                    on: request.scope, after: request.isFirst ? nil : request.key, limit: request.pageSize)
                return PaginatorPage(
                    content: answer.comments.map(\.model), key: request.key, nextKey: answer.paging.next)
            })
        var config = PaginatorConfig()
        config.connectivity = environment
        config.inMemoryEvictionStrategy = .lru(maxPages: 50)
        config.maxAttempts = 2
        return CallbackPaginator(dataSource: source, config: config)
    }
}
