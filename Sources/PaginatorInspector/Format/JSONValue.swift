/// A JSON value with ordered members.
///
/// Hand-written, because the state of a large cache is written several times a second.
enum JSONValue: Sendable, Hashable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([Member])

    struct Member: Sendable, Hashable {
        let name: String
        let value: JSONValue
    }

    /// Creates an object; members with `nil` are left out.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    static func count(_ count: Int) -> JSONValue { .number(Double(count)) }

    static func texts(_ texts: some Sequence<String>) -> JSONValue { .list(texts.map(JSONValue.text)) }

    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var memberList: [Member] { if case .object(let members) = self { members } else { [] } }
    var list: [JSONValue] { if case .list(let values) = self { values } else { [] } }

    /// The number, if it is an `Int`.
    var whole: Int? { number.flatMap(Int.init(exactly:)) }

    var utf8: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    var string: String { String(decoding: utf8, as: UTF8.self) }

    func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .number(let number): Self.write(number, to: &bytes)
        case .text(let text): Self.write(text, to: &bytes)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    // JSON has no infinity and no NaN.
    private static func write(_ number: Double, to bytes: inout [UInt8]) {
        if !number.isFinite {
            bytes += "null".utf8
        } else if let whole = Int64(exactly: number) {
            bytes += String(whole).utf8
        } else {
            bytes += number.description.utf8
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x0A: bytes += "\\n".utf8
            case ..<0x20:
                let digits = String(byte, radix: 16)
                bytes += "\\u".utf8
                bytes += String(repeating: "0", count: 4 - digits.count).utf8
                bytes += digits.utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
