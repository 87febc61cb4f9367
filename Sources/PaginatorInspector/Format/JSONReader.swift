extension JSONValue {
    /// Parses JSON from untrusted bytes; `nil` if they are invalid.
    init?(reading bytes: some Sequence<UInt8>) {
        var reader = JSONReader(bytes: Array(bytes))
        guard let value = reader.document() else { return nil }
        self = value
    }
}

/// Parses JSON (RFC 8259), with ordered members, as deep as recordings nest.
///
/// Hand-written, because thousands of states of large caches are read, and the order of members is kept.
private struct JSONReader {
    private static let maxDepth = 64

    let bytes: [UInt8]
    private var place = 0
    private var depth = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() -> JSONValue? {
        guard let value = value() else { return nil }
        skipSpace()
        return place == bytes.count ? value : nil
    }

    private mutating func value() -> JSONValue? {
        skipSpace()
        guard let byte = next else { return nil }
        switch byte {
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.list() }
        case UInt8(ascii: "\""): return text().map(JSONValue.text)
        case UInt8(ascii: "t"): return takes("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return takes("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return takes("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func nested(_ body: (inout JSONReader) -> JSONValue?) -> JSONValue? {
        guard depth < Self.maxDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        place += 1
        return body(&self)
    }

    private mutating func object() -> JSONValue? {
        var members: [JSONValue.Member] = []
        if takesMark("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\""), let name = text(), takesMark(":"), let value = value() else { return nil }
            members.append(JSONValue.Member(name: name, value: value))
        } while takesMark(",")
        return takesMark("}") ? .object(members) : nil
    }

    private mutating func list() -> JSONValue? {
        var values: [JSONValue] = []
        if takesMark("]") { return .list(values) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while takesMark(",")
        return takesMark("]") ? .list(values) : nil
    }

    private mutating func number() -> JSONValue? {
        let start = place
        while let byte = next, Self.isOfNumber(byte) { place += 1 }
        guard place > start, let number = Double(String(decoding: bytes[start..<place], as: UTF8.self)), number.isFinite
        else { return nil }
        return .number(number)
    }

    // So that no other notation of the standard library counts as a number, such as hexadecimal numbers and names.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func text() -> String? {
        place += 1
        var utf8: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: utf8, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escaped() else { return nil }
                utf8 += String(Character(scalar)).utf8
            case ..<0x20: return nil
            default: utf8.append(byte)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "u"):
            guard let unit = unit() else { return nil }
            guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
            guard takes("\\u"), let low = self.unit(), (0xDC00..<0xE000).contains(low) else { return nil }
            return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        default: return nil
        }
    }

    private mutating func unit() -> UInt32? {
        guard bytes.count - place >= 4 else { return nil }
        defer { place += 4 }
        var unit: UInt32 = 0
        for byte in bytes[place..<place + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    private mutating func takesMark(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    private mutating func takes(_ word: StaticString) -> Bool {
        let word = Array("\(word)".utf8)
        guard bytes[place...].starts(with: word) else { return false }
        place += word.count
        return true
    }
}
