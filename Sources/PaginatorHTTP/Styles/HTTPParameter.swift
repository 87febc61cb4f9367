/// A place for a value in a request: a query parameter, a header field, or a member of the body.
///
/// ```swift
/// .cursor("page_token", from: "next_page_token")                             // ?page_token=...
/// .cursor(.body("NextToken"), from: "NextToken")                             // {"NextToken": ...}
/// .cursor(.header("x-ms-continuation"), from: .header("x-ms-continuation"))  // x-ms-continuation: ...
/// ```
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum HTTPParameter: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A parameter of the query.
    case query(String)

    /// A header field.
    case header(String)

    /// A member of the JSON body by its path, such as `variables.after` or `requests.0.page`; missing objects in the
    /// path are created, but no elements of lists. In a form it is the field with that name.
    case body(String)

    /// A parameter of the query.
    public init(stringLiteral value: String) { self = .query(value) }

    var name: String {
        switch self {
        case .query(let name), .header(let name), .body(let name): name
        }
    }
}

/// A place of a value in a response: a member of the JSON body, or a header field.
public struct HTTPField: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    enum Place: Sendable, Hashable {
        case body(JSONPath)
        case header(String)
    }

    let place: Place

    /// A member of the JSON body by its path: names and indices separated by dots, such as `meta.next` or
    /// `results.0.id`. A member whose own name has dots is found, too, such as `@odata.nextLink`.
    public static func body(_ path: String) -> HTTPField { HTTPField(place: .body(JSONPath(path))) }

    /// A header field.
    public static func header(_ name: String) -> HTTPField { HTTPField(place: .header(name)) }

    /// Creates a member of the JSON body by its path.
    public init(stringLiteral value: String) { self.init(place: .body(JSONPath(value))) }

    init(place: Place) { self.place = place }

    /// The name of the header field; `nil` for a member of the body.
    var headerName: String? {
        if case .header(let name) = place { name } else { nil }
    }

    /// The path, or the name of the header field.
    public var description: String {
        switch place {
        case .body(let path): path.description
        case .header(let name): "header \(name)"
        }
    }
}
