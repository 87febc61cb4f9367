import PaginatorCore

/// Pages addressed by cursors in the response: opaque texts, or objects, which are kept as JSON.
///
/// An empty or missing cursor is the end, and so is `false`. A wrong type is an error that names the field.
struct CursorStyle: BuiltInStyle {
    let parameter: HTTPParameter
    let next: HTTPField
    let previous: HTTPField?
    let previousParameter: HTTPParameter
    let emptyPreviousIsFirst: Bool
    let size: HTTPParameter?
    let hasMore: HTTPField?
    let totalField: HTTPField?
    let ends: Set<ExactText>
    let endsAtSameCursor: Bool

    /// A constant text: the first page is requested without a cursor.
    var firstKey: String { CursorKey.firstKey }

    func headerTellsKeys(in response: HTTPPageResponse) -> Bool {
        hasMore == nil && response.hasHeader(next.headerName)
    }

    /// Sets the cursor and the size.
    func prepare(_ request: inout HTTPPageRequest) throws(HTTPSourceError) {
        request.setPageSize(size)
        switch try CursorKey.reading(request.key, for: parameter) {
        case .first: break
        case .next(let value): request.set(parameter, toJSON: value)
        case .previous(let value): request.set(previousParameter, toJSON: value)
        }
    }

    /// If a cursor does not show its direction, a part might be the wrong end of its page.
    func givesParts(of key: String) -> Bool {
        guard size != nil, previous == nil || previousParameter != parameter else { return false }
        return CursorKey.leadsForward(key)
    }

    /// Reads the cursors.
    func keys(in response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        var keys = HTTPPageKeys(total: try response.count(ifAny: totalField))
        let isFirst = response.request.key.hasSameBytes(as: firstKey)
        // An endpoint of the first page's own may be in the middle.
        if let previous, !isFirst || response.request.hasOwnEndpoint {
            keys.previous = try previousKey(previous, in: response, isFirst: isFirst)
        }
        let more = try response.flag(ifAny: hasMore)
        if more == false { return keys }
        let cursor = try cursor(next, in: response)
        if more == true, cursor == nil {
            throw HTTPSourceError.missing(next.description, "though it says that there is more")
        }
        keys.next = cursor.flatMap { isSame(CursorKey.next($0), in: response) ? nil : CursorKey.next($0).key }
        return keys
    }

    /// Whether the server repeats the cursor of the request to say that there is nothing more.
    private func isSame(_ cursor: CursorKey, in response: HTTPPageResponse) -> Bool {
        endsAtSameCursor && cursor.key.hasSameBytes(as: response.request.key)
    }

    /// If both cursors use the same parameter, the previous one is an ordinary key, and a page has one key from both
    /// sides.
    private func previousKey(
        _ field: HTTPField, in response: HTTPPageResponse, isFirst: Bool
    ) throws(HTTPSourceError) -> String? {
        if emptyPreviousIsFirst, !isFirst, response.value(of: field) == .string("") { return firstKey }
        guard let cursor = try cursor(field, in: response) else { return nil }
        let key = previousParameter == parameter ? CursorKey.next(cursor) : .previous(cursor)
        return isSame(key, in: response) ? nil : key.key
    }

    private func cursor(_ field: HTTPField, in response: HTTPPageResponse) throws(HTTPSourceError) -> JSONValue? {
        switch response.value(of: field) {
        case nil, .bool(false): return nil
        case .string(let text) where text.isEmpty || ends.contains(ExactText(text)): return nil
        case .number(let digits) where ends.contains(ExactText(digits)): return nil
        case .object(let members) where members.isEmpty: return nil
        // PHP writes an empty object this way.
        case .array(let values) where values.isEmpty: return nil
        case .bool: throw HTTPSourceError.wrongType(field.description, "a text, a number, a list or an object")
        case .some(let value): return value
        }
    }
}

extension HTTPPagingStyle where Self == HTTPStyle {
    /// The response has the cursor of the next page, which its request sends back: `?cursor=dXNlcjpVMD`.
    ///
    /// ```swift
    /// .cursor("cursor", from: "response_metadata.next_cursor", size: "limit")            // Slack
    /// .cursor(.body("ExclusiveStartKey"), from: "LastEvaluatedKey", size: .body("Limit"))  // DynamoDB
    /// ```
    ///
    /// - Parameters:
    ///   - parameter: the request's parameter for the cursor; the first page's request has none.
    ///   - next: the response's field for the cursor of the next page.
    ///   - previous: the response's field for the cursor of the previous page; `nil`, the default, if the API does not
    ///     go back. It is not read from the first page, so an API that begins at the newest page needs a parameter to
    ///     begin at the other end, as `startFromHead` of CloudWatch Logs, unless the source has an endpoint of its own
    ///     for that page, such as one around a message.
    ///   - previousParameter: the request's parameter for the cursor of the previous page; `nil`, the default, is
    ///     `parameter`.
    ///   - emptyPreviousIsFirst: whether an empty previous cursor is the first page; false by default, for no page.
    ///   - size: the request's parameter for the page size; `nil`, the default, if it cannot be chosen.
    ///   - hasMore: the response's field that says whether there is a next page, for APIs whose last page has a cursor;
    ///     `nil`, the default, for none.
    ///   - total: the response's field for the number of all items; `nil`, the default, if there is none.
    ///   - ends: cursors that mean the end, such as `0`; a missing or empty cursor and `false` always do. None by
    ///     default.
    ///   - endsAtSameCursor: whether a response with the cursor of its own request means the end, as in some APIs of
    ///     AWS. False by default: it is an error, because it would be a cycle.
    public static func cursor(
        _ parameter: HTTPParameter, from next: HTTPField, previous: HTTPField? = nil,
        previousParameter: HTTPParameter? = nil, emptyPreviousIsFirst: Bool = false, size: HTTPParameter? = nil,
        hasMore: HTTPField? = nil, total: HTTPField? = nil, ends: Set<String> = [], endsAtSameCursor: Bool = false
    ) -> HTTPStyle {
        HTTPStyle(
            base: CursorStyle(
                parameter: parameter, next: next, previous: previous, previousParameter: previousParameter ?? parameter,
                emptyPreviousIsFirst: emptyPreviousIsFirst, size: size, hasMore: hasMore, totalField: total,
                ends: Set(ends.map { ExactText($0) }),
                endsAtSameCursor: endsAtSameCursor))
    }
}
