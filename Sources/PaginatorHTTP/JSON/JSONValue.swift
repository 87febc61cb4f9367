import PaginatorCore

/// A JSON value of a body or a cursor, with the cases of RFC 8259.
///
/// Strings and names are compared by their UTF-8 bytes: cursors with differently encoded accents differ.
enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number as written, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Values by name, without the order of names.
    case object([ExactText: JSONValue])
}

extension JSONValue: Equatable {
    static func == (left: JSONValue, right: JSONValue) -> Bool { left.text.hasSameBytes(as: right.text) }
}

extension JSONValue {
    /// The member of an object; `nil` if there is none, or this is no object.
    subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[ExactText(name)] } else { nil }
    }

    /// Compact JSON, with names in the order of their bytes, so that equal values have equal texts.
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
            // By bytes: in Swift's order, canonically equal names have no order.
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

    /// The value for an address, a header or a form: strings and numbers as they are, others as JSON.
    var plainText: String {
        switch self {
        case .string(let string): string
        case .number(let digits): digits
        default: text
        }
    }

    /// Sets the value at a path, and creates the objects on the way.
    ///
    /// - Parameters:
    ///   - value: the value; `nil` removes the member.
    ///   - names: the path; if empty, the value replaces this one.
    mutating func set(_ value: JSONValue?, at names: some Collection<String>) {
        // Anything but an object on the way becomes one, as the server expects it.
        guard let name = names.first.map(ExactText.init) else {
            self = value ?? .null
            return
        }
        var members: [ExactText: JSONValue] = [:]
        if case .object(let present) = self { members = present }
        // Removing a member does not create objects on the way.
        if value == nil, names.count == 1 || members[name] == nil {
            members[name] = nil
        } else {
            members[name, default: .object([:])].set(value, at: names.dropFirst())
        }
        self = .object(members)
    }
}
