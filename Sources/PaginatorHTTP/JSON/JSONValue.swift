import PaginatorCore

/// A JSON value, as bodies and cursors are made of; its cases are those of RFC 8259.
///
/// Strings and names are compared by their UTF-8 bytes: two cursors that differ in how they write an accent are two.
enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number as it is written, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Values by name. The order of names is not kept.
    case object([ExactText: JSONValue])
}

extension JSONValue: Equatable {
    static func == (left: JSONValue, right: JSONValue) -> Bool { left.text.hasSameBytes(as: right.text) }
}

extension JSONValue {
    /// The member of an object; `nil` when there is none, and for what is no object.
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[ExactText(name)] } else { nil }
    }

    /// The value as compact JSON, with names in the order of their bytes, so that equal values are equal texts.
    var text: String {
        var output = ""
        write(to: &output)
        return output
    }

    private func write(to output: inout String) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .number(let digits): output += digits
        case .string(let string): Self.write(string, to: &output)
        case .array(let values):
            output += "["
            for (index, value) in values.enumerated() {
                if index > 0 { output += "," }
                value.write(to: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            // By bytes: in Swift's order, names that are canonically equal have no order.
            let sorted = members.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
            for (index, member) in sorted.enumerated() {
                if index > 0 { output += "," }
                Self.write(member.key.text, to: &output)
                output += ":"
                member.value.write(to: &output)
            }
            output += "}"
        }
    }

    private static func write(_ string: String, to output: inout String) {
        output += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{0}"..<" ":
                // Other control characters have no short form.
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }

    /// The value as an address, a header or a form takes it: strings and numbers as they are, the rest as JSON.
    var plainText: String {
        switch self {
        case .string(let string): string
        case .number(let digits): digits
        default: text
        }
    }

    /// Sets the value at a path, and makes the objects on the way.
    ///
    /// - Parameters:
    ///   - value: the value; `nil` takes the member away.
    ///   - names: the names on the way; with none, the value takes the place of this one.
    mutating func set(_ value: JSONValue?, at names: some Collection<String>) {
        // What is no object on the way becomes one: the request is built for a server that expects it.
        guard let name = names.first.map(ExactText.init) else {
            self = value ?? .null
            return
        }
        var members: [ExactText: JSONValue] = [:]
        if case .object(let present) = self { members = present }
        // A member that is to be removed is not created on the way.
        if value == nil, names.count == 1 || members[name] == nil {
            members[name] = nil
        } else {
            members[name, default: .object([:])].set(value, at: names.dropFirst())
        }
        self = .object(members)
    }
}
