import AppFoundation
import Foundation
import PaginatorCore
import PaginatorHTTP

/// Pages of posts from the backend: the feed, or with a user's id as scope that user's posts. Loaded posts are also
/// passed to `found`, for the search index.
struct PostSource: PaginatorDataSource {
    private let source: HTTPDataSource<Post>
    private let token: @Sendable () -> String?
    private let tokenRefused: @Sendable (String) async -> Void
    private let unreachable: @Sendable () -> Void
    private let found: @Sendable ([Post]) -> Void

    init(
        baseURL: URL, token: @escaping @Sendable () -> String?,
        tokenRefused: @escaping @Sendable (String) async -> Void, unreachable: @escaping @Sendable () -> Void,
        found: @escaping @Sendable ([Post]) -> Void
    ) {
        self.token = token
        self.tokenRefused = tokenRefused
        self.unreachable = unreachable
        self.found = found
        var options = HTTPSourceOptions()
        // Posts on disk are shown until newer ones arrive, whatever their age; the app requests newer ones.
        (options.obeysFreshness, options.lifetime) = (false, nil)
        options.authentication = .bearer { token() ?? "" }
        options.prepare = { request in
            guard !request.scope.isEmpty,
                var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
            else { return }
            parts.path = "/v1/users/\(request.scope)/posts"
            request.url = parts.url ?? request.url
        }
        source = HTTPDataSource(
            HTTPEndpoint(baseURL.appending(path: "v1/feed")), items: "feed",
            style: .cursor("after", from: "paging.next", size: "limit"), options: options,
            decode: { try WireCoding.decoder().decode(PostPreviewAnswer.self, from: $0).model })
    }

    var firstKey: String { source.firstKey }

    func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<Post>, SourceError>) -> Void
    ) -> SourceCancellation {
        let token = token()
        return source.fetch(request) { [found, tokenRefused, unreachable] result in
            switch result {
            case .success(let page): found(page.content)
            case .failure(let error) where (error.underlying as? HTTPSourceError)?.code == .unauthorized:
                Task {
                    if let token { await tokenRefused(token) }
                    completion(.failure(SourceError(APIError(.tokenRefused, status: 401))))
                }
                return
            case .failure(let error):
                let code = (error.underlying as? HTTPSourceError)?.code
                if code == .connection || code == .tooSlow { unreachable() }
            }
            completion(result)
        }
    }
}

extension SourceError {
    /// Converts a failed call to an error of the source.
    init(_ error: APIError) {
        switch error.outboxFailure.kind {
        case .refused where error.status == 410, .refused where error.status == 404: self = .keyExpired(error)
        case .refused, .signedOut: self = .fatal(error)
        default: self = error.retryAfter.map { .retry(error, after: $0) } ?? .retry(error)
        }
    }
}
