import Foundation
import Testing

@testable import PaginatorCore
@testable import PaginatorHTTP

/// An item of the tests' APIs.
struct Row: Codable, Hashable, Sendable, Identifiable {
    var id: Int
    var name: String?
}

extension HTTPDataSource {
    /// Fetches one page and waits for it.
    func page(
        _ key: String? = nil, size: Int = 10, scope: String = "", known: PaginatorPage<Item>? = nil
    ) async -> Result<PaginatorPage<Item>, SourceError> {
        let key = key ?? firstKey
        let identity = PageIdentity(key: key, pageSize: size, scope: scope)
        return await withCheckedContinuation { continuation in
            var request = SourceRequest(identity: identity, isFirst: key == firstKey)
            request.context.page = known.map {
                LoadedPage($0, as: identity, from: .memory, clock: SystemPaginatorClock())
            }
            _ = fetch(request) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// The error of a page that must fail.
    func failure(_ key: String? = nil, size: Int = 10) async -> SourceError? {
        if case .failure(let error) = await page(key, size: size) { return error }
        return nil
    }

    /// Reads a response without any connection.
    func read(
        _ body: String, key: String? = nil, size: Int = 2, status: Int = 200, headers: HTTPHeaderFields = [:],
        url: String? = nil
    ) -> Result<PaginatorPage<Item>, SourceError> {
        Result { () throws(SourceError) in
            let request = try self.request(key, size: size)
            let response = TransferResponse(
                status: status, headers: headers, url: url.flatMap { URL(string: $0) } ?? request.url,
                body: Array(body.utf8))
            return try page(in: response, to: request).get()
        }
    }

    /// The request of a page.
    func request(_ key: String? = nil, size: Int = 2) throws(SourceError) -> HTTPPageRequest {
        do {
            return try makeRequest(SourceRequest(identity: PageIdentity(key: key ?? firstKey, pageSize: size)))
        } catch {
            throw .fatal(error)
        }
    }
}

extension Result where Failure == SourceError {
    /// The HTTP error behind a failure.
    var httpError: HTTPSourceError? {
        if case .failure(let error) = self { error.httpError } else { nil }
    }
}

extension SourceError {
    /// The HTTP error behind it.
    var httpError: HTTPSourceError? { underlying as? HTTPSourceError }
}

extension HTTPPageRequest {
    /// The body of a request that has one of JSON.
    var json: JSONValue? {
        if case .json(let value, _) = content { value } else { nil }
    }
}

extension CallbackPaginator {
    /// Fetches a page and waits for the answer.
    func answer(_ key: String, pageSize: Int = 10) async -> Result<FetchedPage<T>, PaginatorError> {
        await withCheckedContinuation { continuation in
            fetch(key: key, pageSize: pageSize) { continuation.resume(returning: $0) }
        }
    }
}

/// A body with rows and whatever else.
func rows(_ ids: some Sequence<Int>) -> String {
    "[" + ids.map { "{\"id\": \($0), \"name\": \"row \($0)\"}" }.joined(separator: ",") + "]"
}
