public import Foundation

/// The request that every page's request begins with: an address, and where needed a method, header fields and a body.
///
/// A text stands for a `GET` of that address. Header fields and the body go to the address's own origin only.
public struct HTTPEndpoint: Sendable, ExpressibleByStringLiteral {
    /// The address. One that is none ends every fetch with ``HTTPSourceError/Code/badAddress``.
    public var address: String

    /// The method, `GET` by default.
    public var method = "GET"

    /// The header fields; `Accept: application/json, application/*;q=0.5` is sent unless they say otherwise.
    public var headers: HTTPHeaderFields = [:]

    /// The JSON body; `nil`, the default, for none.
    public var body: JSONValue?

    /// Whether asking twice does no harm, so that a request is repeated when nobody knows what became of it: by default
    /// for the methods that RFC 9110, section 9.2.2, calls idempotent.
    public var isIdempotent: Bool

    /// A `GET` of an address.
    public init(stringLiteral value: String) { self.init(value) }

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - method: the method.
    ///   - headers: the header fields.
    ///   - body: the JSON body.
    ///   - isIdempotent: whether asking twice does no harm; `nil`, the default, goes by the method.
    public init(
        _ address: String, method: String = "GET", headers: HTTPHeaderFields = [:], body: JSONValue? = nil,
        isIdempotent: Bool? = nil
    ) {
        self.address = address
        self.method = method
        self.headers = headers
        self.body = body
        self.isIdempotent = isIdempotent ?? ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(method.uppercased())
    }

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - method: the method.
    ///   - headers: the header fields.
    ///   - body: the JSON body.
    ///   - isIdempotent: whether asking twice does no harm; `nil`, the default, goes by the method.
    public init(
        _ url: URL, method: String = "GET", headers: HTTPHeaderFields = [:], body: JSONValue? = nil,
        isIdempotent: Bool? = nil
    ) {
        self.init(url.absoluteString, method: method, headers: headers, body: body, isIdempotent: isIdempotent)
    }

    /// A search by `POST`, which does no harm when it is repeated.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - body: what is searched for.
    ///   - headers: the header fields.
    public static func search(
        _ address: String, body: JSONValue = [:], headers: HTTPHeaderFields = [:]
    ) -> HTTPEndpoint {
        HTTPEndpoint(address, method: "POST", headers: headers, body: body, isIdempotent: true)
    }

    /// A GraphQL query by `POST`, which does no harm when it is repeated.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - query: the query's text.
    ///   - variables: its variables, beside those that the paging style sets.
    ///   - headers: the header fields.
    public static func graphQL(
        _ address: String, query: String, variables: [String: JSONValue] = [:], headers: HTTPHeaderFields = [:]
    ) -> HTTPEndpoint {
        search(address, body: ["query": .string(query), "variables": .object(variables)], headers: headers)
    }

    func url() throws(HTTPSourceError) -> URL {
        guard let url = URL(string: address), HTTPOrigin(url) != nil else {
            throw HTTPSourceError(.badAddress, "The endpoint's address is not one of HTTP.", field: "endpoint")
        }
        return url
    }
}
