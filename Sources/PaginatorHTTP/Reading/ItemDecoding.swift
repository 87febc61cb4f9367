import Foundation
import PaginatorCore

/// Decodes the items of a response.
struct ItemDecoding<Item: Sendable>: Sendable {
    /// Decodes one item.
    let one: @Sendable (Data) throws -> Item
    /// Decodes a whole list at once, which is faster; `nil` if only single items can be decoded.
    let many: (@Sendable (Data) throws -> [Item])?
    /// Decodes a whole body that is not JSON; `nil` for JSON.
    var body: (@Sendable (Data) throws -> (items: [Item], fields: [String: String]))?

    struct Result {
        var items: [Item] = []
        var skipped: [HTTPSourceError] = []
    }

    /// Decodes the items of a response.
    ///
    /// - Throws: ``HTTPSourceError/Code/brokenItem`` for the first item that cannot be decoded, unless such items are
    ///   skipped.
    func decode(_ response: HTTPPageResponse, skipsBroken: Bool) throws(HTTPSourceError) -> Result {
        if let items = whole(response) { return Result(items: items) }
        var result = Result()
        result.items.reserveCapacity(response.itemCount)
        let path = response.itemsPath
        for (index, element) in response.elements.enumerated() {
            do {
                guard let node = response.document.node(at: path.memberNames[...], from: element) else {
                    throw HTTPSourceError.missing(path.memberNames.joined(separator: "."), "which holds the item")
                }
                result.items.append(try one(response.document.data(of: node)))
            } catch {
                let broken = Self.broken(path.element(index), error, status: response.status)
                guard skipsBroken else { throw broken }
                result.skipped.append(broken)
            }
        }
        return result
    }

    /// Reads a whole response, with the app's own closure or as JSON.
    func read(
        _ response: TransferResponse, to request: HTTPPageRequest, by reading: PageReading, skipsBroken: Bool
    ) throws(HTTPSourceError) -> (response: HTTPPageResponse, result: Result) {
        guard let body else {
            let document = try reading.format.document(of: response, limits: reading.limits)
            let read = try reading.response(response, document, to: request)
            return (read, try decode(read, skipsBroken: skipsBroken))
        }
        if response.isUnaskedWebPage(request.headers["Accept"]) { throw .notJSON(response) }
        let decoded: (items: [Item], fields: [String: String])
        do {
            decoded = try body(Data(response.body))
        } catch {
            throw error as? HTTPSourceError
                ?? HTTPSourceError(
                    .brokenItem, "The body cannot be decoded (\(type(of: error))).", field: "body",
                    status: response.status, underlying: error)
        }
        let read = try reading.response(
            response, itemCount: decoded.items.count, fields: decoded.fields, to: request)
        return (read, Result(items: decoded.items))
    }

    /// Decodes all at once if possible; decoding one by one then finds the broken item.
    private func whole(_ response: HTTPPageResponse) -> [Item]? {
        guard let many, !response.itemsPath.entersElements, !response.elements.isEmpty,
            let list = response.document.node(at: response.itemsPath.names[...], from: 0)
        else { return nil }
        let data = response.document.data(of: list)
        guard case .success(let items) = Swift.Result(catching: { try many(data) }),
            items.count == response.itemCount
        else { return nil }
        return items
    }

    /// An error that names the field, without its value.
    private static func broken(_ element: String, _ error: any Error, status: Int) -> HTTPSourceError {
        var field = element
        let reason: String
        switch error {
        case DecodingError.typeMismatch(let type, let context):
            field += names(context.codingPath)
            reason = "is not of the type \(type)"
        case DecodingError.valueNotFound(let type, let context):
            field += names(context.codingPath)
            reason = "is null, and should be of the type \(type)"
        case DecodingError.keyNotFound(let key, let context):
            field += names(context.codingPath + [key])
            reason = "is missing"
        case DecodingError.dataCorrupted(let context):
            field += names(context.codingPath)
            reason = "has a value that cannot be used"
        case let error as HTTPSourceError:
            field += error.field.map { "." + $0 } ?? ""
            reason = "is missing or wrong"
        default:
            reason = "cannot be decoded (\(type(of: error)))"
        }
        return HTTPSourceError(
            .brokenItem, "The field \(field) of the response \(reason).", field: field, status: status)
    }

    private static func names(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in key.intValue.map { text + "[\($0)]" } ?? text + "." + key.stringValue }
    }
}
