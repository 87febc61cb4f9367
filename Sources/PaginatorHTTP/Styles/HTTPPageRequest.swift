public import Foundation
public import PaginatorCore

/// The request of one page, as the endpoint begins it, and the paging style and the authentication finish it.
public struct HTTPPageRequest: Sendable {
    /// The page asked for.
    public let source: SourceRequest

    /// The method, `GET` unless the endpoint says otherwise.
    public var method: String

    /// The address.
    public var url: URL

    /// The header fields.
    public var headers: HTTPHeaderFields

    /// The JSON body; `nil` for none.
    public var body: JSONValue?

    /// The page's key.
    public var key: String { source.key }

    /// The number of items asked for.
    public var pageSize: Int { source.pageSize }

    /// Whether the first page is asked for.
    public var isFirst: Bool { source.isFirst }

    /// The endpoint's own address, which decides what another origin is.
    package let endpointURL: URL

    /// The address that requests of pages beyond the first begin with.
    package internal(set) var laterURL: URL

    /// What of the query says who asks.
    package var secrets = QuerySecrets()

    /// Whether the page size was sent, so that larger pages are wrong.
    package var asksForSize = false

    package init(_ source: SourceRequest, endpoint: HTTPEndpoint, url: URL, endpointURL: URL) {
        self.source = source
        self.url = url
        self.endpointURL = endpointURL
        laterURL = url
        method = endpoint.method
        headers = endpoint.headers
        body = endpoint.body
    }

    /// Sets a parameter, in place of one of the same name.
    ///
    /// - Parameters:
    ///   - parameter: where the value goes.
    ///   - value: the value; queries and header fields take lists and objects as JSON texts.
    public mutating func set(_ parameter: HTTPParameter, to value: JSONValue) {
        switch parameter.place {
        case .query: setQuery(parameter.name, to: value.plainText)
        case .header: headers[parameter.name] = value.plainText
        case .body:
            var whole = body ?? .object([:])
            whole.set(value, at: JSONPath(parameter.name).names)
            body = whole
        }
    }

    /// Sets the page size; pages with more items than that are refused then.
    ///
    /// - Parameter parameter: where it goes; `nil` where it cannot be chosen.
    public mutating func setPageSize(_ parameter: HTTPParameter?) {
        guard let parameter else { return }
        set(parameter, to: .number(String(pageSize)))
        asksForSize = true
    }

    /// Sets a query parameter, in place of those of the same name; the others stay byte by byte as they are.
    ///
    /// Everything but RFC 3986's unreserved characters is percent-encoded: many servers read `+` as a space.
    ///
    /// - Parameters:
    ///   - name: the parameter's name.
    ///   - value: its value; `nil` takes the parameter away.
    public mutating func setQuery(_ name: String, to value: String?) {
        url = QueryEditor.setting(name, to: value, in: url)
    }
}
