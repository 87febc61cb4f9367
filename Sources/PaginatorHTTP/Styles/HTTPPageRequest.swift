public import Foundation
import PaginatorCore

/// The request of one page: the endpoint's, with additions of the paging style and the authentication.
public struct HTTPPageRequest: Sendable {
    let source: SourceRequest

    /// The method, `GET` unless the endpoint says otherwise.
    public var method: String

    /// The address.
    public var url: URL

    var headers: HTTPHeaderFields
    var content: HTTPContent

    /// The endpoint's own address, which defines other origins.
    let endpointURL: URL

    /// The address that requests of later pages are based on.
    var laterURL: URL

    /// The credentials in the address.
    var secrets = QuerySecrets()

    /// The media types to accept; `nil` for those of JSON.
    var accepts: String?

    /// Whether this is the first page, with an endpoint of its own.
    var hasOwnEndpoint = false

    /// The number of the page's items that parts have brought before; 0 for a whole page or its first part.
    var itemsBefore = 0

    /// Whether the page size was sent, so that larger pages are an error.
    var asksForSize = false

    init(_ source: SourceRequest, at endpoint: HTTPEndpoint) throws(HTTPSourceError) {
        self.source = source
        url = try endpoint.url()
        endpointURL = url
        laterURL = url
        method = endpoint.method
        headers = endpoint.headers
        content = try endpoint.content()
    }

    /// The page's key.
    public var key: String { source.key }

    /// The requested number of items, at least 1.
    public var pageSize: Int { source.pageSize }

    /// The requested scope; empty for none.
    public var scope: String { source.scope }

    /// Whether this is the request of the first page.
    public var isFirst: Bool { source.isFirst }

    /// The body as it is sent, for a signature; `nil` for none.
    public var body: Data? { content.encoded?.bytes }

    /// Sets a parameter to a text, replacing those with the same name. The rest of the request keeps its bytes, except
    /// that a JSON body is written anew, with its members in their order.
    ///
    /// In a query, every character is percent-encoded except the unreserved ones of RFC 3986, because many servers read
    /// `+` as a space.
    ///
    /// - Parameters:
    ///   - parameter: the parameter; a string literal names a query parameter.
    ///   - value: the text; `nil` removes the parameter. An element of a list in the body becomes `null`.
    public mutating func set(_ parameter: HTTPParameter, to value: String?) {
        set(parameter, toJSON: value.map { .string($0) })
    }

    /// Sets a parameter to a number, replacing those with the same name.
    ///
    /// - Parameters:
    ///   - parameter: the parameter; a string literal names a query parameter.
    ///   - value: the number.
    public mutating func set(_ parameter: HTTPParameter, to value: Int) {
        set(parameter, toJSON: .number(String(value)))
    }

    /// Sets a parameter to a JSON value. Queries and header fields contain lists and objects as JSON texts.
    mutating func set(_ parameter: HTTPParameter, toJSON value: JSONValue?) {
        switch parameter {
        case .query(let name): url = QueryEditor.setting(name, to: value?.plainText, in: url)
        case .header(let name): headers[name] = value?.plainText
        case .body(let path): content.set(value, at: path)
        }
    }

    /// Sets the page size. A page with more items is refused, unless ``HTTPSourceOptions/allowsLargerPages`` is true.
    ///
    /// - Parameter parameter: the parameter; `nil` sets nothing, because the page size cannot be chosen.
    public mutating func setPageSize(_ parameter: HTTPParameter?) {
        guard let parameter else { return }
        set(parameter, to: pageSize)
        asksForSize = true
    }
}
