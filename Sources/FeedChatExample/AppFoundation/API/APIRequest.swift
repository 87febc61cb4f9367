package import Foundation
import PaginatorCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A call of the API.
package struct APIRequest: Sendable {
    /// The method, such as `GET`.
    package var method: String
    /// The path after the base address, such as `/v1/feed`; not escaped.
    package var path: String
    /// The query's names and values, in order. Names without a value are omitted.
    package var query: [(name: String, value: String?)]
    package var headers: [String: String]
    package var body: Data?
    /// The timeout without any data; the system counts whole seconds, and at least one.
    package var timeout: Duration

    package init(
        _ method: String = "GET", _ path: String, query: [(name: String, value: String?)] = [],
        headers: [String: String] = [:], body: Data? = nil, timeout: Duration = .seconds(20)
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }

    func urlRequest(base: URL, token: String?) throws(APIError) -> URLRequest {
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { throw APIError(.badRequest) }
        parts.path = (parts.path.hasSuffix("/") ? String(parts.path.dropLast()) : parts.path) + path
        let items = query.compactMap { item in item.value.map { URLQueryItem(name: item.name, value: $0) } }
        if !items.isEmpty {
            parts.queryItems = items
            // A form decodes a plus sign as a space.
            parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        }
        guard let url = parts.url else { throw APIError(.badRequest) }
        var request = URLRequest(url: url)
        // Set as a property, because Linux ignores the value of the initializer.
        request.timeoutInterval = max(1, timeout.inSeconds.rounded(.up))
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return request
    }
}

/// An answer of the API with a status of 2xx.
package struct APIResponse: Sendable {
    package let status: Int
    /// The header fields, with names in lower case.
    package let headers: [String: String]
    package let body: Data
}
