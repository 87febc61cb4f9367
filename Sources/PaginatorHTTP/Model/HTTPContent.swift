import Foundation
import PaginatorCore

/// The body of a request.
enum HTTPContent: Sendable {
    case none
    /// JSON, with the text that the app wrote until a parameter is set in it.
    case json(JSONValue, written: String?)
    /// A form: its fields are the members of an object.
    case form(JSONValue)
    case data(Data, type: String)
    /// A parameter was set in a body that has no place for it, such as one of other data.
    case conflict(parameter: String)

    /// Sets a member of the body; `nil` removes it.
    mutating func set(_ value: JSONValue?, at path: String) {
        switch self {
        case .none:
            guard value != nil else { return }
            self = .json(.object([]), written: nil)
            set(value, at: path)
        case .json(var whole, _):
            let hasPlace = whole.set(value, at: JSONPath(path).names[...])
            self = hasPlace ? .json(whole, written: nil) : .conflict(parameter: path)
        // A form has no nested members, so a dot is part of the name.
        case .form(var fields):
            _ = fields.set(value, at: [path])
            self = .form(fields)
        case .data: self = .conflict(parameter: path)
        case .conflict: break
        }
    }

    /// The bytes that are sent, and their media type; `nil` without a body.
    var encoded: (bytes: Data, type: String)? {
        switch self {
        case .none, .conflict: nil
        case .json(let value, let written): (Data((written ?? value.text).utf8), "application/json")
        case .form(let fields): (Data(Self.form(fields).utf8), "application/x-www-form-urlencoded")
        case .data(let bytes, let type): (bytes, type)
        }
    }

    private static func form(_ fields: JSONValue) -> String {
        guard case .object(let members) = fields else { return "" }
        // In the order of their bytes, so that equal forms have equal texts.
        return members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map { QueryEditor.encoded($0.name) + "=" + QueryEditor.encoded($0.value.plainText) }
            .joined(separator: "&")
    }
}
