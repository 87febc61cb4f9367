/// GraphQL connections after Relay's cursor specification, forward (`first`, `after`) and backward (`last`, `before`).
///
/// The endpoint's body has the query; this style sets its variables.
struct RelayStyle: BuiltInStyle {
    let connection: JSONPath
    let first: String
    let after: String
    let last: String?
    let before: String?
    let startsAtEnd: Bool
    let total: HTTPField?

    /// A constant text: the first page is requested without a cursor.
    var firstKey: String { CursorKey.firstKey }

    /// The nodes of the connection's edges.
    var defaultItems: JSONPath { connection.appending("edges[].node") }

    /// The nodes alone, which GitHub, GitLab, Shopify and WPGraphQL offer beside the edges.
    var otherItems: JSONPath? { connection.appending("nodes") }

    /// Sets the variables.
    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) {
        switch try CursorKey.reading(request.key, for: .body("variables.\(after)")) {
        case .first where startsAtEnd: request.setPageSize(last.map { .body("variables.\($0)") })
        case .first: request.setPageSize(.body("variables.\(first)"))
        case .next(let cursor):
            request.setPageSize(.body("variables.\(first)"))
            set(after, to: cursor, in: &request)
        case .previous(let cursor):
            request.setPageSize(last.map { .body("variables.\($0)") })
            set(before, to: cursor, in: &request)
        }
    }

    private func set(_ variable: String?, to value: JSONValue, in request: inout HTTPPageRequest) {
        if let variable { request.set(.body("variables.\(variable)"), toJSON: value) }
    }

    /// Reads `pageInfo`.
    ///
    /// A server may leave out the side that was not requested, or say there that there is no more, as the specification
    /// allows. There is a page on that side: the one whose cursor led here.
    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        var keys = HTTPPageKeys(total: try response.count(ifAny: total))
        let cameFrom = try CursorKey.reading(response.request.key, for: .body("variables.\(after)"))
        let isBackward: Bool
        switch cameFrom {
        case .first: isBackward = startsAtEnd
        case .next: isBackward = false
        case .previous: isBackward = true
        }
        let asksBack = last != nil && before != nil
        // An endpoint of the first page's own may be in the middle.
        let isInside = cameFrom != .first || response.request.hasOwnEndpoint
        if isBackward {
            let more = try flag("hasPreviousPage", in: response)
            keys.previous = more ? CursorKey.previous(try cursor("startCursor", in: response)).key : nil
            if isInside {
                keys.next = try optionalCursor("endCursor", in: response).map { CursorKey.next($0).key }
            }
        } else {
            let more = try flag("hasNextPage", in: response)
            keys.next = more ? CursorKey.next(try cursor("endCursor", in: response)).key : nil
            if isInside, asksBack {
                keys.previous = try optionalCursor("startCursor", in: response).map { CursorKey.previous($0).key }
            }
        }
        return keys
    }

    private func field(_ name: String) -> HTTPField {
        HTTPField(place: .body(connection.appending("pageInfo.\(name)")))
    }

    private func flag(_ name: String, in response: HTTPPageResponse) throws(HTTPSourceError) -> Bool {
        guard let flag = try response.flag(of: field(name)) else {
            throw HTTPSourceError.missing("\(field(name))", "which the query must ask for")
        }
        return flag
    }

    private func cursor(_ name: String, in response: HTTPPageResponse) throws(HTTPSourceError) -> JSONValue {
        guard let cursor = try optionalCursor(name, in: response) else {
            throw HTTPSourceError.missing("\(field(name))", "though it says that there is more")
        }
        return cursor
    }

    private func optionalCursor(
        _ name: String, in response: HTTPPageResponse
    ) throws(HTTPSourceError) -> JSONValue? {
        try response.text(of: field(name)).map { .string($0) }
    }
}

extension HTTPPagingStyle where Self == HTTPStyle {
    /// A GraphQL connection whose query takes `$first` and `$after`, and requests `pageInfo { hasNextPage endCursor }`.
    ///
    /// The items are each `node` of the connection's `edges` or, if the query does not request these, its `nodes`,
    /// unless the source's `items:` names another path. Going back needs `hasPreviousPage` and `startCursor`, too. With
    /// ``HTTPBodyFormat/streamedJSON`` name `nodes` by `items:`, so that they are shown as they arrive. If the source
    /// has an endpoint of its own for the first page, such as one around a message, and the style goes back, the page
    /// has others on both sides.
    ///
    /// ```swift
    /// let stars = HTTPDataSource<Repository>(
    ///     .graphQL("https://api.example.com/graphql", query: query),
    ///     style: .relayConnection("data.viewer.starredRepositories"))
    /// ```
    ///
    /// - Parameters:
    ///   - connection: the path of the connection in the body.
    ///   - first: the variable for the page size going forward; `first` by default.
    ///   - after: the variable for the cursor going forward; `after` by default.
    ///   - last: the variable for the page size going back; `nil`, the default, if the query does not go back.
    ///   - before: the variable for the cursor going back; `nil`, the default, if the query does not go back.
    ///   - startsAtEnd: whether the first page is the connection's last one, as in a chat; needs `last` and `before`.
    ///   - total: the response's field for the number of all items, such as
    ///     `data.viewer.starredRepositories.totalCount`; `nil`, the default, if there is none.
    public static func relayConnection(
        _ connection: String, first: String = "first", after: String = "after", last: String? = nil,
        before: String? = nil, startsAtEnd: Bool = false, total: HTTPField? = nil
    ) -> HTTPStyle {
        HTTPStyle(
            base: RelayStyle(
                connection: JSONPath(connection), first: first, after: after, last: last, before: before,
                startsAtEnd: startsAtEnd && last != nil && before != nil, total: total))
    }
}
