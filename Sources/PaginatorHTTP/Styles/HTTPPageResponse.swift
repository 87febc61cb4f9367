public import Foundation

/// The response with a page, as a paging style reads it.
public struct HTTPPageResponse: Sendable {
    /// The request, before authentication.
    public let request: HTTPPageRequest

    /// The address that answered, after redirects.
    public let url: URL

    /// The status.
    public let status: Int

    let headers: HTTPHeaderFields
    let document: JSONDocument
    let itemsPath: JSONPath
    /// The elements of the items' list.
    var elements: [Int]

    /// The body and its number of items, if the app's own closure read it; `document` then has the fields that it
    /// returned.
    var readByClosure: (body: Data, itemCount: Int)?

    /// The body as the server sent it: JSON in UTF-8, unless a closure decodes another format.
    public var body: Data { readByClosure?.body ?? Data(document.bytes) }

    /// The number of items of the page.
    public var itemCount: Int { readByClosure?.itemCount ?? elements.count }

    /// Returns the whole number of a field; `nil` if the field is missing or `null`.
    ///
    /// - Parameter field: the field. A text of digits counts as a number.
    /// - Throws: ``HTTPSourceError/Code/wrongType`` if it has another value, or a negative one.
    public func count(of field: HTTPField) throws(HTTPSourceError) -> Int? {
        guard let value = value(of: field) else { return nil }
        let text = value.plainText
        if let count = Int(text), count >= 0 { return count }
        // Some servers write whole numbers as `30.0`.
        if case .number = value, let number = Double(text), let count = Int(exactly: number), count >= 0 {
            return count
        }
        throw .wrongType(field.description, "a whole number from 0")
    }

    /// Returns the text of a field; `nil` if the field is missing, `null` or empty.
    ///
    /// - Parameter field: the field. A number counts as its digits.
    /// - Throws: ``HTTPSourceError/Code/wrongType`` if it has another value.
    public func text(of field: HTTPField) throws(HTTPSourceError) -> String? {
        try Self.text(value(of: field), field.description)
    }

    /// Returns a text of an item; `nil` if the field is missing, `null` or empty.
    ///
    /// - Parameters:
    ///   - path: the path of the field inside the item. If it is missing or `null` there, and the path of the items has
    ///     `[]`, the field of the element around the item is read. A number counts as its digits.
    ///   - index: the item's index, from 0.
    /// - Throws: ``HTTPSourceError/Code/wrongType`` if it has another value.
    public func text(of path: String, ofItem index: Int) throws(HTTPSourceError) -> String? {
        guard let found = find(JSONPath(path), ofItem: index) else { return nil }
        return try Self.text(found.value, field(found.names, ofItem: index))
    }

    /// Returns whether a field is true; `nil` if it is missing or `null`.
    ///
    /// - Parameter field: the field. The texts `true` and `false` count, too.
    /// - Throws: ``HTTPSourceError/Code/wrongType`` if it has another value.
    public func flag(of field: HTTPField) throws(HTTPSourceError) -> Bool? {
        switch value(of: field) {
        case nil: return nil
        case .bool(let flag): return flag
        case .string("true"): return true
        case .string("false"): return false
        default: throw .wrongType(field.description, "true or false")
        }
    }

    /// Returns the value of a field; `nil` if it is missing, `null`, or an empty header field.
    func value(of field: HTTPField) -> JSONValue? {
        switch field.place {
        case .body(let path):
            let value = document.value(at: path)
            return value == .null ? nil : value
        case .header(let name):
            return headers[name].flatMap { $0.isEmpty ? nil : .string($0) }
        }
    }

    /// Whether a header field is present, perhaps empty.
    func hasHeader(_ name: String?) -> Bool { name.map { headers[$0] != nil } ?? false }

    /// Returns a value of an item, or of the element around it, and the names of its field; `nil` if it is missing or
    /// `null`.
    ///
    /// - Parameters:
    ///   - path: the path of the field.
    ///   - index: the item's index, from 0.
    ///   - aroundFirst: whether the element around the item takes precedence.
    func find(
        _ path: JSONPath, ofItem index: Int, aroundFirst: Bool = false
    ) -> (value: JSONValue, names: [String])? {
        guard elements.indices.contains(index) else { return nil }
        let (inside, around) = (itemsPath.memberNames + path.names, path.names)
        for names in aroundFirst ? [around, inside] : [inside, around] {
            if let node = document.node(at: names[...], from: elements[index]), document.nodes[node].kind != .null {
                return (document.value(of: node), names)
            }
        }
        return nil
    }

    /// The name of a field of an item's element, for error messages.
    func field(_ names: [String], ofItem index: Int) -> String {
        ([itemsPath.element(index)] + names).joined(separator: ".")
    }

    /// The number in an optional field of a style.
    func count(ifAny field: HTTPField?) throws(HTTPSourceError) -> Int? {
        guard let field else { return nil }
        return try count(of: field)
    }

    /// The flag in an optional field of a style.
    func flag(ifAny field: HTTPField?) throws(HTTPSourceError) -> Bool? {
        guard let field else { return nil }
        return try flag(of: field)
    }

    private static func text(_ value: JSONValue?, _ field: @autoclosure () -> String) throws(HTTPSourceError) -> String?
    {
        switch value {
        case nil, .null: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .number(let digits): return digits
        default: throw .wrongType(field(), "a text")
        }
    }
}
