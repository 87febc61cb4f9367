/// A JSON value, as bodies and cursors are made of; its cases are those of RFC 8259.
///
/// ```swift
/// let body: JSONValue = ["query": ["match_all": [:]], "size": 30]
/// ```
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number as it is written, so that no digit is lost.
    case number(String)
    /// A string.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// Values by name. The order of names is not kept.
    case object([String: JSONValue])
}

extension JSONValue {
    /// The value as compact JSON, with names in alphabetical order, so that equal values are equal texts.
    public var text: String {
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
            for (index, name) in members.keys.sorted().enumerated() {
                if index > 0 { output += "," }
                Self.write(name, to: &output)
                output += ":"
                members[name]?.write(to: &output)
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
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }

    /// The value as an address, a header or a form takes it: strings and numbers as they are, the rest as JSON.
    public var plainText: String {
        switch self {
        case .string(let string): string
        case .number(let digits): digits
        default: text
        }
    }

    /// Sets the value at a path, and makes the objects on the way.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - names: the names on the way; with none, the value takes the place of this one.
    mutating func set(_ value: JSONValue, at names: some Collection<String>) {
        guard let name = names.first else {
            self = value
            return
        }
        var members: [String: JSONValue] = [:]
        if case .object(let present) = self { members = present }
        var member = members[name] ?? .object([:])
        member.set(value, at: names.dropFirst())
        members[name] = member
        self = .object(members)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes a number.
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    /// Makes a number; what is not finite becomes `null`.
    public init(floatLiteral value: Double) { self = value.isFinite ? .number(String(value)) : .null }
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Makes a list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Makes an object; of equal names the last counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
