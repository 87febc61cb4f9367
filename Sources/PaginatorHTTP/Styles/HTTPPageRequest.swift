public import Foundation
import PaginatorCore

/// The request of one page, as the endpoint begins it, and the paging style and the authentication finish it.
public struct HTTPPageRequest: Sendable {
    let source: SourceRequest

    /// The method, `GET` unless the endpoint says otherwise.
    public var method: String

    /// The address.
    public var url: URL

    var headers: HTTPHeaderFields
    var json: JSONValue?

    /// The endpoint's own address, which decides what another origin is.
    let endpointURL: URL

    /// The address that requests of pages beyond the first begin with.
    var laterURL: URL

    /// The credentials in the address.
    var secrets = QuerySecrets()

    /// Whether the page size was sent, so that larger pages are wrong.
    var asksForSize = false

    init(_ source: SourceRequest, at endpoint: HTTPEndpoint) throws(HTTPSourceError) {
        self.source = source
        url = try endpoint.url()
        endpointURL = url
        laterURL = url
        method = endpoint.method
        headers = endpoint.headers
        json = try endpoint.json()
    }

    /// The page's key.
    public var key: String { source.key }

    /// The number of items asked for.
    public var pageSize: Int { source.pageSize }

    /// The scope asked for, empty for none.
    public var scope: String { source.scope }

    /// Whether the first page is asked for.
    public var isFirst: Bool { source.isFirst }

    /// The JSON body as it is sent, to sign it; `nil` for none.
    public var body: Data? { json.map { Data($0.text.utf8) } }

    /// Sets a parameter to a text, in place of those of the same name; the rest of the request stays byte by byte as it is.
    ///
    /// In a query everything but RFC 3986's unreserved characters is percent-encoded: many servers read `+` as a space.
    ///
    /// - Parameters:
    ///   - parameter: where the text goes; a literal names a query parameter.
    ///   - value: the text; `nil` takes the parameter away.
    public mutating func set(_ parameter: HTTPParameter, to value: String?) {
        set(parameter, toJSON: value.map { .string($0) })
    }

    /// Sets a parameter to a number, in place of those of the same name.
    ///
    /// - Parameters:
    ///   - parameter: where the number goes.
    ///   - value: the number.
    public mutating func set(_ parameter: HTTPParameter, to value: Int) {
        set(parameter, toJSON: .number(String(value)))
    }

    /// Sets a parameter to a JSON value; queries and header fields take lists and objects as JSON texts.
    mutating func set(_ parameter: HTTPParameter, toJSON value: JSONValue?) {
        switch parameter.place {
        case .query: url = QueryEditor.setting(parameter.name, to: value?.plainText, in: url)
        case .header: headers[parameter.name] = value?.plainText
        case .body:
            if value == nil, json == nil { return }
            var whole = json ?? .object([:])
            whole.set(value, at: JSONPath(parameter.name).names)
            json = whole
        }
    }

    /// Sets the page size; pages with more items than that are refused then.
    ///
    /// - Parameter parameter: where it goes; `nil` where it cannot be chosen.
    public mutating func setPageSize(_ parameter: HTTPParameter?) {
        guard let parameter else { return }
        set(parameter, to: pageSize)
        asksForSize = true
    }
}
