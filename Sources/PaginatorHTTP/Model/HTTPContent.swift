import Foundation
import PaginatorCore

/// The body of a request.
enum HTTPContent: Sendable {
    case none
    case json(JSONValue)
    /// A form: its fields are the members of an object.
    case form(JSONValue)
    case data(Data, type: String)
    /// A parameter was set in a body of other data, which has no place for it.
    case conflict(parameter: String)

    /// Sets a member of the body; `nil` removes it.
    mutating func set(_ value: JSONValue?, at path: String) {
        let names = JSONPath(path).names
        switch self {
        case .none:
            guard value != nil else { return }
            self = .json(Self.setting(value, at: names, in: .object([:])))
        case .json(let whole): self = .json(Self.setting(value, at: names, in: whole))
        // A form has no nested members, so a dot is part of the name.
        case .form(let fields): self = .form(Self.setting(value, at: [path], in: fields))
        case .data: self = .conflict(parameter: path)
        case .conflict: break
        }
    }

    private static func setting(_ value: JSONValue?, at names: [String], in whole: JSONValue) -> JSONValue {
        var whole = whole
        whole.set(value, at: names)
        return whole
    }

    /// The bytes that are sent, and their media type; `nil` without a body.
    var encoded: (bytes: Data, type: String)? {
        switch self {
        case .none, .conflict: nil
        case .json(let value): (Data(value.text.utf8), "application/json")
        case .form(let fields): (Data(Self.form(fields).utf8), "application/x-www-form-urlencoded")
        case .data(let bytes, let type): (bytes, type)
        }
    }

    private static func form(_ fields: JSONValue) -> String {
        guard case .object(let members) = fields else { return "" }
        // In the order of their bytes, so that equal forms have equal texts.
        return members.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
            .map { QueryEditor.encoded($0.key.text) + "=" + QueryEditor.encoded($0.value.plainText) }
            .joined(separator: "&")
    }
}
