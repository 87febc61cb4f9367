import Foundation
import PaginatorCore

/// Reads a page from a response: finds its items, checks the limits, and reads the keys beside it.
///
/// Pure: the result depends on the response, the style and the options only.
struct PageReading {
    let style: any BuiltInStyle
    let format: HTTPBodyFormat
    /// The path of the items in a body, as the app states it.
    let declaredItems: JSONPath
    let itemID: JSONPath?
    let limits: HTTPLimits
    let allowsLargerPages: Bool
    let missingItemsAreEmpty: Bool?

    /// Their path in the value that the format makes.
    var itemsPath: JSONPath { format.itemsPath(declaredItems) }

    /// Parses a body.
    ///
    /// - Parameter levels: the number of lists and objects that the format has put around what the server sent.
    static func document(
        _ response: TransferResponse, limits: HTTPLimits, inside levels: Int = 0
    ) throws(HTTPSourceError) -> JSONDocument {
        do {
            return try JSONDocument(response.body, maxDepth: min(limits.jsonDepth, .max - levels) + levels)
        } catch {
            switch error {
            case .unexpected: throw .notJSON(response)
            case .tooDeep: throw .tooDeep(limits, status: response.status)
            case .endedEarly:
                throw HTTPSourceError(
                    .endedEarly, "The body ended after \(response.body.count) bytes, before its JSON was whole.",
                    field: "body", status: response.status)
            }
        }
    }

    /// Finds the items and checks them against the limits.
    func response(
        _ response: TransferResponse, _ body: JSONDocument, to request: HTTPPageRequest
    ) throws(HTTPSourceError) -> HTTPPageResponse {
        var read = HTTPPageResponse(
            request: request, url: response.url, status: response.status, headers: response.headers, document: body,
            itemsPath: itemsPath(in: body), elements: [])
        read.elements = try elements(of: read)
        try checkCount(of: read)
        if let itemID { try checkIDs(itemID, in: read) }
        return read
    }

    /// Where the items of a body are: at the style's other path if nothing is at its first one.
    private func itemsPath(in body: JSONDocument) -> JSONPath {
        guard declaredItems == style.defaultItems, let other = style.otherItems,
            body.node(at: itemsPath.names[...], from: 0) == nil, body.node(at: other.names[...], from: 0) != nil
        else { return itemsPath }
        return other
    }

    /// Whether a successful answer has an error in place of its items that says that the credentials are refused.
    func refusesCredentials(_ response: TransferResponse, to request: HTTPPageRequest) -> Bool {
        // An error is short, and only short bodies are parsed once for this and once for the page.
        guard response.isPage, response.body.count <= 64 * 1_024 else { return false }
        do {
            _ = try self.response(response, format.document(of: response, limits: limits), to: request)
            return false
        } catch {
            return error.code == .unauthorized
        }
    }

    /// Takes the items and fields that the app's own closure read from a body.
    func response(
        _ response: TransferResponse, itemCount: Int, fields: [String: String], to request: HTTPPageRequest
    ) throws(HTTPSourceError) -> HTTPPageResponse {
        var document = response
        document.body = Array(JSONValue.object(fields.map { (name: $0.key, value: .string($0.value)) }).text.utf8)
        var read = HTTPPageResponse(
            request: request, url: response.url, status: response.status, headers: response.headers,
            document: try Self.document(document, limits: limits), itemsPath: .root, elements: [])
        read.readByClosure = (Data(response.body), itemCount)
        try checkCount(of: read)
        return read
    }

    private func checkCount(of read: HTTPPageResponse) throws(HTTPSourceError) {
        let (request, status) = (read.request, read.status)
        guard read.itemCount <= limits.itemsPerPage else {
            throw .tooManyItems(limits, status: status)
        }
        if request.asksForSize, !allowsLargerPages, read.itemCount > request.pageSize {
            throw HTTPSourceError(
                .pageSizeDiffers,
                "\(request.pageSize) items were asked for, and \(read.itemCount) came at \(name(of: read.itemsPath)). "
                    + "Where the size cannot be chosen, the style's size is nil.",
                field: name(of: read.itemsPath), status: status)
        }
    }

    private func elements(of response: HTTPPageResponse) throws(HTTPSourceError) -> [Int] {
        let (body, path, status) = (response.document, response.itemsPath, response.status)
        guard let list = body.node(at: path.names[...], from: 0) else {
            guard body.nodes.first?.kind == .object, try isEmpty(response, isNull: false) else {
                throw missingItems(response)
            }
            return []
        }
        switch body.nodes[list].kind {
        case .null:
            guard try isEmpty(response, isNull: true) else { throw missingItems(response) }
            return []
        case .array:
            let elements = body.elements(of: list)
            guard elements.isEmpty, let error = BodyError.find(in: body), error.certainty == .certain else {
                return elements
            }
            throw .refused(name(of: path), by: error, status: status)
        default:
            let lists = body.listNames(of: list).sorted().prefix(8).joined(separator: ", ")
            let hint = lists.isEmpty ? "" : " The lists in it are: \(lists)."
            throw HTTPSourceError(
                .wrongType, "The field \(name(of: path)) of the response should be a list.\(hint)",
                field: name(of: path), status: status)
        }
    }

    /// Whether a response without the list is an empty page. Some servers write an empty list as `null`; but they also
    /// write `null` after an error.
    private func isEmpty(_ response: HTTPPageResponse, isNull: Bool) throws(HTTPSourceError) -> Bool {
        if let error = BodyError.find(in: response.document) {
            // A mere message may say that all is well, if something else says so, too.
            guard error.certainty == .message else { return false }
            // What the style cannot read says nothing, and the message is reported.
            return missingItemsAreEmpty ?? ((try? style.tellsNothingIsLeft(in: response)) == true)
        }
        if isNull { return true }
        if let missingItemsAreEmpty { return missingItemsAreEmpty }
        return try style.tellsNothingIsLeft(in: response)
    }

    private func missingItems(_ response: HTTPPageResponse) -> HTTPSourceError {
        let field = name(of: response.itemsPath)
        if let error = BodyError.find(in: response.document) {
            return .refused(field, by: error, status: response.status)
        }
        return HTTPSourceError(
            .missingField, "The response has no field \(field), where the items should be.", field: field,
            status: response.status)
    }

    private func checkIDs(_ path: JSONPath, in response: HTTPPageResponse) throws(HTTPSourceError) {
        // Compared by bytes, because Swift treats ids with differently encoded accents as equal.
        var seen: Set<[UInt8]> = []
        for index in 0..<response.itemCount {
            guard let id = response.find(path, ofItem: index) else { continue }
            // An item's own id and one around another item are of two kinds.
            let place = id.names.joined(separator: ".")
            guard seen.insert(Array((place + "\0" + id.value.sortedText).utf8)).inserted else {
                let field = response.field(id.names, ofItem: index)
                throw HTTPSourceError(
                    .duplicateID, "The field \(field) repeats the id of an earlier item of the page.", field: field,
                    status: response.status)
            }
        }
    }

    /// Reads the style's keys, and checks them.
    func keys(of response: HTTPPageResponse) throws(HTTPSourceError) -> HTTPPageKeys {
        let keys = try style.keys(in: response)
        for key in [keys.previous, keys.next] {
            guard let key else { continue }
            guard key.utf8.count <= limits.cursorBytes else {
                throw .limitExceeded(
                    "cursorBytes", "A cursor of the response is longer than \(limits.cursorBytes) bytes",
                    status: response.status)
            }
            guard !key.isEmpty, !key.utf8.contains(0) else {
                throw .wrongType("cursor", "a text with at least one character and no NUL")
            }
            guard !key.hasSameBytes(as: response.request.key) else {
                throw HTTPSourceError(
                    .repeatedCursor, "The server names the page itself as the one beside it.",
                    field: keys.next?.hasSameBytes(as: key) == true ? "next" : "previous", status: response.status)
            }
        }
        return keys
    }

    private func name(of path: JSONPath) -> String {
        path.names.isEmpty ? "(the body)" : path.names.joined(separator: ".")
    }
}
