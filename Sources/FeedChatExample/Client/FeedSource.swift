import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The feed as a data source: one HTTP request a page, keys that are the server's cursors.
struct FeedSource: PaginatorDataSource {
    /// The server's first page has the empty cursor, which no paginator takes for a key.
    let firstKey = "start"
    let baseURL: URL
    let session: URLSession

    func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<PostPreview>, SourceError>) -> Void
    ) -> SourceCancellation {
        guard let url = url(for: request) else {
            completion(.failure(.fatal(FeedFailure.badAddress)))
            return .none
        }
        let task = session.dataTask(with: url) { data, response, error in
            completion(answer(to: request, data: data, response: response, error: error))
        }
        task.resume()
        return SourceCancellation { task.cancel() }
    }

    private func url(for request: SourceRequest) -> URL? {
        var components = URLComponents(url: baseURL.appending(path: "v1/feed"), resolvingAgainstBaseURL: false)
        // A query leaves `+` alone and servers read it as a space, so that cursors are encoded by hand.
        let cursor = Self.cursor(ofKey: request.key, firstKey: firstKey)
        guard let after = cursor.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else { return nil }
        components?.percentEncodedQuery = "after=\(after)&limit=\(request.pageSize)"
        return components?.url
    }

    /// The server's cursor for a key.
    static func cursor(ofKey key: String, firstKey: String) -> String {
        key == firstKey ? "" : key
    }

    private func answer(
        to request: SourceRequest, data: Data?, response: URLResponse?, error: (any Error)?
    ) -> Result<PaginatorPage<PostPreview>, SourceError> {
        if let error { return .failure(.retry(error)) }
        guard let response = response as? HTTPURLResponse, let data else {
            return .failure(.retry(FeedFailure.noAnswer))
        }
        if let failure = FeedFailure.sourceError(of: response) { return .failure(failure) }
        do {
            let feed = try JSONDecoder.wire().decode(FeedResponse.self, from: data)
            return .success(page(of: feed, key: request.key, response: response, byteCount: data.count))
        } catch {
            return .failure(.fatal(error))
        }
    }

    private func page(
        of response: FeedResponse, key: String, response http: HTTPURLResponse, byteCount: Int
    ) -> PaginatorPage<PostPreview> {
        PaginatorPage(
            content: response.feed,
            key: key,
            expirationTime: http.maxAge.map { Date(timeIntervalSinceNow: $0) },
            prevKey: response.paging.previous.map { $0.isEmpty ? firstKey : $0 },
            nextKey: response.paging.next,
            byteCount: byteCount)
    }
}
