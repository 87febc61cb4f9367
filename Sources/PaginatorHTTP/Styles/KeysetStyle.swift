import PaginatorCore

/// Pages addressed by fields of the item before them: the last item's id, or the values that the server sorts by.
struct KeysetStyle: BuiltInStyle {
    struct Column: Sendable, Hashable {
        let field: JSONPath
        let next: HTTPParameter
        let previous: HTTPParameter?
    }

    let columns: [Column]
    let size: HTTPParameter?
    let untilEmpty: Bool
    let hasMore: HTTPField?
    let totalField: HTTPField?

    /// The field that is unique among a page's items: that of a style with one field.
    let itemID: JSONPath?

    /// A constant text: the first page is requested without any of the fields.
    var firstKey: String { CursorKey.firstKey }

    /// Sets the fields and the size.
    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) {
        request.setPageSize(size)
        switch try CursorKey.reading(request.key, for: columns[0].next) {
        case .first: break
        case .next(let value): try set(value, in: &request) { $0.next }
        case .previous(let value): try set(value, in: &request) { $0.previous ?? $0.next }
        }
    }

    private func set(
        _ value: JSONValue, in request: inout HTTPPageRequest, _ parameter: (Column) -> HTTPParameter
    ) throws(HTTPSourceError) {
        guard columns.count > 1 else { return request.set(parameter(columns[0]), toJSON: value) }
        guard case .array(let values) = value, values.count == columns.count else {
            throw HTTPSourceError(.badKey, "The key has not a value for each field of this style.")
        }
        for (column, value) in zip(columns, values) { request.set(parameter(column), toJSON: value) }
    }

    /// Going back, a part of a page would be its end.
    func givesParts(of key: String) -> Bool { size != nil && CursorKey.leadsForward(key) }

    /// Reads the fields of the last item and, if the API goes back, those of the first.
    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        var keys = HTTPPageKeys(total: try response.count(ifAny: totalField))
        let asked = response.request.pageSize
        // Where the size is not sent, the server's own pages may be smaller, and a short one tells nothing, unless it
        // is the first and has all.
        let hasAll = response.request.key.hasSameBytes(as: firstKey) && keys.total == response.itemCount
        // An endpoint of the first page's own may be in the middle, where a page is short if either side ends.
        let isInside = columns[0].previous != nil && response.request.hasOwnEndpoint
        let isFull = response.itemCount >= asked || ((untilEmpty || size == nil || isInside) && !hasAll)
        let hasMore = try response.flag(ifAny: hasMore)
        guard response.itemCount > 0 else {
            if hasMore == true {
                throw HTTPSourceError(
                    .missingField, "The page is empty though it says that there is more.", field: "items")
            }
            return keys
        }
        var hasNext = hasMore ?? isFull
        var hasPrevious = columns[0].previous != nil
        switch try CursorKey.reading(response.request.key, for: columns[0].next) {
        case .first:
            if hasMore == nil, !isFull, let total = keys.total, total > response.itemCount {
                throw HTTPSourceError(
                    .pageSizeDiffers,
                    "\(asked) items were asked for, and the server gives \(response.itemCount) at the most; ask for fewer.",
                    field: "items")
            }
            hasPrevious = isInside && !hasAll
        case .next: break
        case .previous:
            // There are items on the side that this page was reached from; `hasMore` applies to the other side.
            (hasNext, hasPrevious) = (true, hasPrevious && hasNext)
        }
        // An item at the end of all need not have the fields.
        if hasNext { keys.next = CursorKey.next(try values(of: response.itemCount - 1, in: response)).key }
        if hasPrevious { keys.previous = CursorKey.previous(try values(of: 0, in: response)).key }
        return keys
    }

    private func values(of index: Int, in response: HTTPPageResponse) throws(HTTPSourceError) -> JSONValue {
        // Elasticsearch puts the values that it sorts by around an item, whatever the item's own fields are.
        let aroundFirst = itemID == nil
        var values: [JSONValue] = []
        for column in columns {
            guard let found = response.find(column.field, ofItem: index, aroundFirst: aroundFirst) else {
                let names = (aroundFirst ? [] : response.itemsPath.memberNames) + column.field.names
                throw HTTPSourceError.missing(
                    response.field(names, ofItem: index), "by which the next page is asked for")
            }
            values.append(found.value)
        }
        return values.count == 1 ? values[0] : .array(values)
    }
}

extension HTTPPagingStyle where Self == HTTPStyle {
    /// Requests the next page by the id of the last item: `?starting_after=ch_123`.
    ///
    /// - Parameters:
    ///   - parameter: the request's parameter for the id of the last item.
    ///   - id: the field with an item's id, unique within a page; `id` by default. If an item lacks it, and the path
    ///     of the items has `[]`, that of the element around the item is read.
    ///   - previous: the parameter for the id of the first item in a request that goes back; `nil`, the default, if the
    ///     API does not go back. Nothing is before the first page, unless the source has an endpoint of its own for
    ///     that page, such as one around a message, which may then have fewer items than requested.
    ///   - size: the request's parameter for the page size; `limit` by default.
    ///   - hasMore: the response's field that says whether there are more pages; with `nil`, the default, a page with
    ///     fewer items than requested is the last one, or with `size: nil` an empty page.
    ///   - total: the response's field for the number of all items; `nil`, the default, if there is none.
    ///   - untilEmpty: whether, without `hasMore`, only an empty page is the end, or a first one with all of `total`,
    ///     for servers that silently give fewer items than requested; false by default.
    public static func lastItem(
        _ parameter: HTTPParameter, id: String = "id", previous: HTTPParameter? = nil,
        size: HTTPParameter? = "limit", hasMore: HTTPField? = nil, total: HTTPField? = nil, untilEmpty: Bool = false
    ) -> HTTPStyle {
        HTTPStyle(
            base: KeysetStyle(
                columns: [.init(field: JSONPath(id), next: parameter, previous: previous)], size: size,
                untilEmpty: untilEmpty, hasMore: hasMore, totalField: total, itemID: JSONPath(id)))
    }

    /// Requests the next page by the fields of the last item that the server sorts by.
    ///
    /// ```swift
    /// .keyset(["sort": .body("search_after")], size: .body("size"))         // Elasticsearch
    /// .keyset(["created_at": "created_before", "id": "id_before"])
    /// ```
    ///
    /// - Parameters:
    ///   - fields: the fields of an item, each with the request's parameter for its value; at least one. If the path
    ///     of the items has `[]`, a field of the element around the item takes precedence.
    ///   - size: the request's parameter for the page size; `limit` by default.
    ///   - hasMore: the response's field that says whether there are more pages; with `nil`, the default, a page with
    ///     fewer items than requested is the last one, or with `size: nil` an empty page.
    ///   - total: the response's field for the number of all items; `nil`, the default, if there is none.
    ///   - untilEmpty: whether, without `hasMore`, only an empty page is the end, or a first one with all of `total`,
    ///     for servers that silently give fewer items than requested; false by default.
    public static func keyset(
        _ fields: KeyValuePairs<String, HTTPParameter>, size: HTTPParameter? = "limit", hasMore: HTTPField? = nil,
        total: HTTPField? = nil, untilEmpty: Bool = false
    ) -> HTTPStyle {
        var columns = fields.map { KeysetStyle.Column(field: JSONPath($0.key), next: $0.value, previous: nil) }
        if columns.isEmpty { columns = [.init(field: "id", next: "after", previous: nil)] }
        return HTTPStyle(
            base: KeysetStyle(
                columns: columns, size: size, untilEmpty: untilEmpty, hasMore: hasMore, totalField: total, itemID: nil))
    }
}
