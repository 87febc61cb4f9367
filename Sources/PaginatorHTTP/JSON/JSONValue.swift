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
    /// Members in their order, which some servers obey.
    case object([(name: String, value: JSONValue)])
}

extension JSONValue: Equatable {
    /// Compares without the order of members.
    static func == (left: JSONValue, right: JSONValue) -> Bool { left.sortedText.hasSameBytes(as: right.sortedText) }
}

extension JSONValue {
    /// The first member of an object with a name; `nil` if there is none, or this is no object.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Compact JSON, with members in their order.
    var text: String { text(isSorted: false) }

    /// Compact JSON, with names in the order of their bytes, so that equal values have equal texts.
    var sortedText: String { text(isSorted: true) }

    private func text(isSorted: Bool) -> String {
        var output = ""
        write(to: &output, isSorted: isSorted)
        return output
    }

    private func write(to output: inout String, isSorted: Bool) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .number(let digits): output += digits
        case .string(let string): Self.write(string, to: &output)
        case .array(let values):
            output += "["
            for (index, value) in values.enumerated() {
                if index > 0 { output += "," }
                value.write(to: &output, isSorted: isSorted)
            }
            output += "]"
        case .object(var members):
            output += "{"
            // By bytes: in Swift's order, canonically equal names have no order.
            if isSorted { members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
            for (index, member) in members.enumerated() {
                if index > 0 { output += "," }
                Self.write(member.name, to: &output)
                output += ":"
                member.value.write(to: &output, isSorted: isSorted)
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
    ///   - value: the value; `nil` removes the member. An element of a list becomes `null`, so that the others keep
    ///     their indices.
    ///   - names: the path; if empty, the value replaces this one.
    /// - Returns: whether the path has a place: not inside a text, a number, or an element that a list does not have.
    mutating func set(_ value: JSONValue?, at names: ArraySlice<String>) -> Bool {
        guard let name = names.first else {
            self = value ?? .null
            return true
        }
        switch self {
        case .object(var members):
            let place = members.firstIndex { $0.name.hasSameBytes(as: name) }
            var member = place.map { members[$0].value } ?? .null
            // Removing a member does not create objects on the way.
            let isRemoved = value == nil && (place == nil || names.count == 1)
            guard isRemoved || member.set(value, at: names.dropFirst()) else { return false }
            members.removeAll { $0.name.hasSameBytes(as: name) }
            if !isRemoved { members.insert((name, member), at: place ?? members.count) }
            self = .object(members)
        case .array(var values):
            guard let index = Int(name), values.indices.contains(index) else { return value == nil }
            guard values[index].set(value, at: names.dropFirst()) else { return false }
            self = .array(values)
        case .null where value != nil:
            self = .object([])
            return set(value, at: names)
        default: return value == nil
        }
        return true
    }
}
