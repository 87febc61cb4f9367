import Foundation

/// A JSON value, RFC 8259, of the messages between the app and its page in the browser.
enum AppJSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([AppJSON])
    case object([String: AppJSON])

    /// The member of an object; `nil` if there is none.
    subscript(_ name: String) -> AppJSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The whole number; `nil` for other values, and for numbers that do not fit.
    var int: Int64? {
        switch self {
        case .int(let value): value
        case .double(let value): Int64(exactly: value)
        case .string(let text): Int64(text)
        default: nil
        }
    }

    var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// An object without the members that are `nil`.
    static func members(_ members: [String: AppJSON?]) -> AppJSON { .object(members.compactMapValues(\.self)) }

    /// A point in time as a page reads it, in UTC.
    static func time(_ date: Date) -> AppJSON { .string(date.formatted(.iso8601)) }

    /// Parses a time as a page writes it, with or without milliseconds; `nil` if it is invalid.
    static func date(_ text: String) -> Date? {
        do {
            return try Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
        } catch {
            return nil
        }
    }

    /// Milliseconds since 1970.
    static func time(_ milliseconds: Int64) -> AppJSON {
        time(Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }
}

extension AppJSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    init(stringLiteral text: String) { self = .string(text) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int64) { self = .int(value) }
    init(arrayLiteral elements: AppJSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, AppJSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
    init(nilLiteral: ()) { self = .null }
}

extension AppJSON: Codable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        func read<Value: Decodable>(_ type: Value.Type) -> Value? {
            // A value of another type is no error.
            try? value.decode(type)
        }
        if value.decodeNil() {
            self = .null
        } else if let bool = read(Bool.self) {
            self = .bool(bool)
        } else if let int = read(Int64.self) {
            self = .int(int)
        } else if let double = read(Double.self) {
            self = .double(double)
        } else if let string = read(String.self) {
            self = .string(string)
        } else if let array = read([AppJSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: AppJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .int(let int): try value.encode(int)
        case .double(let double): try value.encode(double)
        case .string(let string): try value.encode(string)
        case .array(let array): try value.encode(array)
        case .object(let object): try value.encode(object)
        }
    }
}

extension AppJSON {
    /// Parses a message; `nil` if the bytes are not JSON.
    init?(_ bytes: Data) {
        do { self = try JSONDecoder().decode(AppJSON.self, from: bytes) } catch { return nil }
    }

    /// The encoded message; a number without a JSON form becomes zero.
    var bytes: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "0", negativeInfinity: "0", nan: "0")
        do { return try encoder.encode(self) } catch { return Data("null".utf8) }
    }
}
