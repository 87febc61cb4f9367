public import Foundation
import PaginatorCore

/// The request that each page's request is based on: an address, and optionally a method, header fields and a body.
///
/// A string literal is a `GET` of that address. Check an address that is only known at run time with ``validated()``:
///
/// ```swift
/// let typed = "https://api.example.com/posts"
/// let endpoint = try HTTPEndpoint(typed).validated()
/// let posts = HTTPDataSource<Post>(endpoint, style: .linkHeader)
/// ```
///
/// Header fields and body are only sent to the origin of the address.
public struct HTTPEndpoint: Sendable, ExpressibleByStringLiteral {
    let address: String
    let method: String
    let headers: HTTPHeaderFields
    let isIdempotent: Bool
    /// The body, or the failure if its text is not JSON.
    private let body: Result<HTTPContent, HTTPSourceError>

    /// Creates a `GET` of an address.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - address: the address. With text that is not an HTTP address, every fetch ends with
    ///     ``HTTPSourceError/Code/badAddress``.
    ///   - method: the method; `GET` by default.
    ///   - headers: the header fields; `Accept: application/json, application/*;q=0.5` is sent unless they have
    ///     `Accept`.
    ///   - body: the JSON body; `nil`, the default, for none. It is sent as it is written unless a style,
    ///     ``HTTPSourceOptions/prepare`` or the authentication sets a parameter in it. With text that is not JSON,
    ///     every fetch ends with ``HTTPSourceError/Code/notJSON``.
    ///   - isIdempotent: whether the request may be repeated if it is unknown whether it was carried out; `nil`, the
    ///     default, depends on the method (RFC 9110, section 9.2.2).
    public init(
        _ address: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil,
        isIdempotent: Bool? = nil
    ) {
        self.init(address, method, headers, Self.json(body), isIdempotent)
    }

    private init(
        _ address: String, _ method: String, _ headers: [String: String],
        _ body: Result<HTTPContent, HTTPSourceError>, _ isIdempotent: Bool?
    ) {
        self.address = address
        self.method = method
        self.headers = HTTPHeaderFields(headers)
        self.body = body
        self.isIdempotent = isIdempotent ?? ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(method.uppercased())
    }

    /// Creates an endpoint whose body is not JSON.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - method: the method.
    ///   - headers: the header fields; none by default.
    ///   - data: the body. A style cannot set parameters in it.
    ///   - contentType: its media type, such as `image/jpeg`.
    ///   - isIdempotent: whether the request may be repeated if it is unknown whether it was carried out; `nil`, the
    ///     default, depends on the method.
    public init(
        _ address: String, method: String, headers: [String: String] = [:], data: Data, contentType: String,
        isIdempotent: Bool? = nil
    ) {
        self.init(address, method, headers, .success(.data(data, type: contentType)), isIdempotent)
    }

    /// Returns a `POST` of a form, `application/x-www-form-urlencoded`.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - fields: the form's fields; a style sets its own with ``HTTPParameter/body(_:)``.
    ///   - headers: the header fields; none by default.
    ///   - isIdempotent: whether the request may be repeated if it is unknown whether it was carried out; false by
    ///     default.
    public static func form(
        _ address: String, _ fields: [String: String], headers: [String: String] = [:], isIdempotent: Bool = false
    ) -> HTTPEndpoint {
        let form = JSONValue.object(fields.map { (name: $0.key, value: .string($0.value)) })
        return HTTPEndpoint(address, "POST", headers, .success(.form(form)), isIdempotent)
    }

    /// Creates a `GET` of an address.
    public init(_ url: URL) { self.init(url.absoluteString) }

    /// Returns a search by `POST`, which may be repeated.
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

    /// Returns a GraphQL query by `POST`, which may be repeated.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - query: the query's text.
    ///   - variables: its variables as a JSON object, to which the paging style adds its own; none by default.
    ///   - headers: the header fields.
    public static func graphQL(
        _ address: String, query: String, variables: String = "{}", headers: [String: String] = [:]
    ) -> HTTPEndpoint {
        let body = "{\"query\":\(JSONValue.string(query).text),\"variables\":\(variables)}"
        return search(address, body: body, headers: headers)
    }

    private static func json(_ text: String?) -> Result<HTTPContent, HTTPSourceError> {
        guard let text else { return .success(.none) }
        do {
            let whole = try JSONDocument(Array(text.utf8), maxDepth: 64).value(at: .root)
            return .success(whole.map { .json($0, written: text) } ?? .none)
        } catch {
            // The reason does not matter, since the text is in the app's own code.
            return .failure(HTTPSourceError(.notJSON, "The endpoint's body is not JSON.", field: "endpoint"))
        }
    }

    func url() throws(HTTPSourceError) -> URL {
        guard let url = URL(written: address), HTTPOrigin(url) != nil else {
            throw HTTPSourceError(.badAddress, "The endpoint's address is not one of HTTP.", field: "endpoint")
        }
        return url
    }

    func content() throws(HTTPSourceError) -> HTTPContent { try body.get() }

    /// Returns the endpoint if its address and body are valid, to find a wrong one before the first fetch.
    ///
    /// - Throws: ``HTTPSourceError/Code/badAddress`` if the address is not an HTTP address, and
    ///   ``HTTPSourceError/Code/notJSON`` if the text of the body is not JSON.
    public func validated() throws(HTTPSourceError) -> HTTPEndpoint {
        _ = try url()
        _ = try content()
        return self
    }
}
