public import Foundation
import PaginatorCore

/// The request that each page's request begins with: an address, and where needed a method, header fields and a body.
///
/// A string literal is a `GET` of that address. An address that is known when the program runs is checked by
/// ``validated()``:
///
/// ```swift
/// let typed = "https://api.example.com/posts"
/// let endpoint = try HTTPEndpoint(typed).validated()
/// let posts = HTTPDataSource<Post>(endpoint, style: .linkHeader)
/// ```
///
/// Header fields and body are sent to the origin of the address only.
public struct HTTPEndpoint: Sendable, ExpressibleByStringLiteral {
    let address: String
    let method: String
    let headers: HTTPHeaderFields
    let isIdempotent: Bool
    /// The body; a failure when the text that it was made of is no JSON.
    private let body: Result<HTTPContent, HTTPSourceError>

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

    /// Makes an endpoint whose body is no JSON.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - method: the method.
    ///   - headers: the header fields; none by default.
    ///   - data: the body. A style cannot set parameters in it.
    ///   - contentType: its media type, such as `image/jpeg`.
    ///   - isIdempotent: whether the request may be repeated when it is unknown whether it was carried out; `nil`, the
    ///     default, takes it from the method.
    public init(
        _ address: String, method: String, headers: [String: String] = [:], data: Data, contentType: String,
        isIdempotent: Bool? = nil
    ) {
        self.init(address, method, headers, .success(.data(data, type: contentType)), isIdempotent)
    }

    /// A `POST` of a form, `application/x-www-form-urlencoded`.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - fields: the form's fields; a style sets its own with ``HTTPParameter/body(_:)``.
    ///   - headers: the header fields; none by default.
    ///   - isIdempotent: whether the request may be repeated when it is unknown whether it was carried out; false by
    ///     default.
    public static func form(
        _ address: String, _ fields: [String: String], headers: [String: String] = [:], isIdempotent: Bool = false
    ) -> HTTPEndpoint {
        let members = fields.map { (ExactText($0.key), JSONValue.string($0.value)) }
        let form = JSONValue.object(Dictionary(members) { _, last in last })
        return HTTPEndpoint(address, "POST", headers, .success(.form(form)), isIdempotent)
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

    private static func json(_ text: String?) -> Result<HTTPContent, HTTPSourceError> {
        guard let text else { return .success(.none) }
        // What is wrong with it does not matter: it stands in the app's own code.
        return Result { try JSONDocument(Array(text.utf8), maxDepth: 64).value(at: .root).map { .json($0) } ?? .none }
            .mapError { _ in HTTPSourceError(.notJSON, "The endpoint's body is not JSON.", field: "endpoint") }
    }

    func url() throws(HTTPSourceError) -> URL {
        guard let url = URL(string: address), HTTPOrigin(url) != nil else {
            throw HTTPSourceError(.badAddress, "The endpoint's address is not one of HTTP.", field: "endpoint")
        }
        return url
    }

    func content() throws(HTTPSourceError) -> HTTPContent { try body.get() }

    /// Returns the endpoint when its address and body can be used, so that a wrong one is found before the first fetch.
    ///
    /// - Throws: ``HTTPSourceError/Code/badAddress`` when the address is not one of HTTP, and
    ///   ``HTTPSourceError/Code/notJSON`` when the text of the body is not JSON.
    public func validated() throws(HTTPSourceError) -> HTTPEndpoint {
        _ = try url()
        _ = try content()
        return self
    }
}
