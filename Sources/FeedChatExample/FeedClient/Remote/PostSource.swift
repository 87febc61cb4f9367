import AppFoundation
import Foundation
import PaginatorCore
import PaginatorHTTP

/// Pages of posts from the backend: the feed, or with a user's id as scope that user's posts. What comes is also handed
/// to `found`, for the search index.
struct PostSource: PaginatorDataSource {
    private let source: HTTPDataSource<Post>
    private let found: @Sendable ([Post]) -> Void

    init(baseURL: URL, token: @escaping @Sendable () -> String?, found: @escaping @Sendable ([Post]) -> Void) {
        self.found = found
        var options = HTTPSourceOptions()
        // What is on disk is shown until something newer has come, however old it is; the app asks for something newer.
        options.freshness = .forever
        options.authentication = .bearer { token() ?? "" }
        options.prepare = { request in
            guard !request.source.scope.isEmpty,
                var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
            else { return }
            parts.path = "/v1/users/\(request.source.scope)/posts"
            request.url = parts.url ?? request.url
        }
        source = HTTPDataSource(
            HTTPEndpoint(baseURL.appending(path: "v1/feed")), items: "feed",
            style: .cursor("after", from: "paging.next", size: "limit"), options: options,
            decode: { try WireCoding.decoder().decode(PostPreviewAnswer.self, from: $0.data).model })
    }

    var firstKey: String { source.firstKey }

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Post>, SourceError>) -> Void
    ) -> SourceCancellation {
        source.fetch(request) { [found] result in
            if case .success(let page) = result { found(page.content) }
            completion(result)
        }
    }
}

extension SourceError {
    /// What a paginator should do about a failed call.
    init(_ error: APIError) {
        switch error.outboxFailure.kind {
        case .refused where error.status == 410, .refused where error.status == 404: self = .keyExpired(error)
        case .refused, .signedOut: self = .fatal(error)
        default: self = error.retryAfter.map { .retry(error, after: $0) } ?? .retry(error)
        }
    }
}
