public import Foundation

/// The request that each page's request begins with: an address, and where needed a method, header fields and a body.
///
/// A string literal is a `GET` of that address. Header fields and body are sent to the origin of the address only.
public struct HTTPEndpoint: Sendable, ExpressibleByStringLiteral {
    let address: String
    let method: String
    let headers: HTTPHeaderFields
    let isIdempotent: Bool
    /// The JSON body; a failure when the text that it was made of is no JSON.
    private let body: Result<JSONValue?, HTTPSourceError>

    /// A `GET` of an address.
    public init(stringLiteral value: String) { self.init(value) }

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - address: the address. Text that is no HTTP address ends every fetch with
    ///     ``HTTPSourceError/Code/badAddress``.
    ///   - method: the method, `GET` by default.
    ///   - headers: the header fields; `Accept: application/json, application/*;q=0.5` is sent unless they say
    ///     otherwise.
    ///   - body: the JSON body; `nil`, the default, for none. Text that is not JSON ends every fetch with
    ///     ``HTTPSourceError/Code/notJSON``.
    ///   - isIdempotent: whether the request may be repeated when it is unknown whether it was carried out; `nil`, the
    ///     default, takes it from the method (RFC 9110, section 9.2.2).
    public init(
        _ address: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil,
        isIdempotent: Bool? = nil
    ) {
        self.address = address
        self.method = method
        self.headers = HTTPHeaderFields(headers)
        self.body = Self.json(body)
        self.isIdempotent = isIdempotent ?? ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(method.uppercased())
    }

    /// A `GET` of an address.
    public init(_ url: URL) { self.init(url.absoluteString) }

    /// A search by `POST`, which may be repeated.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - body: the query as JSON; an empty object by default.
    ///   - headers: the header fields.
    public static func search(
        _ address: String, body: String = "{}", headers: [String: String] = [:]
    ) -> HTTPEndpoint {
        HTTPEndpoint(address, method: "POST", headers: headers, body: body, isIdempotent: true)
    }

    /// A GraphQL query by `POST`, which may be repeated.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - query: the query's text.
    ///   - variables: its variables, as a JSON object, to which the paging style adds its own; none by default.
    ///   - headers: the header fields.
    public static func graphQL(
        _ address: String, query: String, variables: String = "{}", headers: [String: String] = [:]
    ) -> HTTPEndpoint {
        let body = "{\"query\":\(JSONValue.string(query).text),\"variables\":\(variables)}"
        return search(address, body: body, headers: headers)
    }

    private static func json(_ text: String?) -> Result<JSONValue?, HTTPSourceError> {
        guard let text else { return .success(nil) }
        // What is wrong with it does not matter: it stands in the app's own code.
        return Result { try JSONDocument(Array(text.utf8), maxDepth: 64).value(at: .root) }
            .mapError { _ in HTTPSourceError(.notJSON, "The endpoint's body is not JSON.", field: "endpoint") }
    }

    func url() throws(HTTPSourceError) -> URL {
        guard let url = URL(string: address), HTTPOrigin(url) != nil else {
            throw HTTPSourceError(.badAddress, "The endpoint's address is not one of HTTP.", field: "endpoint")
        }
        return url
    }

    func json() throws(HTTPSourceError) -> JSONValue? { try body.get() }
}
