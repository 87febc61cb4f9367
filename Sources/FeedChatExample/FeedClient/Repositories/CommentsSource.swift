import AppFoundation
import PaginatorAsync
import PaginatorCore

extension FeedAPI {
    /// Creates pages of comments on a post, or of the replies in a thread, by ``CommentScope``; the newest first.
    func makeComments(
        _ environment: AppEnvironment, observer: (any PaginatorObserver)?
    ) -> CallbackPaginator<Comment> {
        let source = AsyncDataSource<Comment>(
            firstKey: "first", errorRule: { ($0 as? APIError).map { SourceError($0) } ?? .retry($0) },
            load: { [self] request in
                let answer = try await comments(
                    of: CommentScope(request.scope), after: request.isFirst ? nil : request.key, limit: request.pageSize
                )
                return PaginatorPage(
                    content: answer.comments.map(\.model), key: request.key, nextKey: answer.paging.next)
            })
        var config = PaginatorConfig()
        config.connectivity = environment
        config.observer = observer
        config.inMemoryEvictionStrategy = .lru(maxPages: 50)
        config.maxAttempts = 2
        return CallbackPaginator(dataSource: source, config: config)
    }
}

/// The scope of a page of comments: those on a post, or the replies to one of them.
struct CommentScope: Sendable, Hashable {
    let post: Int64
    let parent: Int64?

    init(post: Int64, parent: Int64? = nil) {
        self.post = post
        self.parent = parent
    }

    /// Parses the scope of a request; an invalid one is that of a post that does not exist.
    init(_ text: String) {
        let numbers = text.split(separator: "/").compactMap { Int64($0) }
        self.init(post: numbers.first ?? 0, parent: numbers.dropFirst().first)
    }

    var text: String { parent.map { "\(post)/\($0)" } ?? "\(post)" }

    var path: String { parent.map { "/v1/comments/\($0)/replies" } ?? "/v1/posts/\(post)/comments" }
}
