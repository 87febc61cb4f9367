/// Scans a header field's value (RFC 9110, section 5.6): tokens, quoted strings, white space.
struct HeaderScanner {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { offset >= bytes.count }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Skips spaces and tabs.
    mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 { offset += 1 }
    }

    /// Skips one character if it is next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = current, UInt32(byte) == character.value else { return false }
        offset += 1
        return true
    }

    /// Reads up to one of the given characters, or to the end.
    mutating func text(until stops: String) -> String {
        let start = offset
        while let byte = current, !stops.utf8.contains(byte) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Reads a quoted string, whose opening quote is next, without quotes and backslashes. An unclosed one extends to
    /// the end.
    mutating func quotedString() -> String {
        var result: [UInt8] = []
        offset += 1
        while let byte = current {
            offset += 1
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\"), let escaped = current {
                result.append(escaped)
                offset += 1
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Reads a quoted string or a token that ends before one of the given characters.
    mutating func value(until stops: String) -> String {
        skipSpace()
        if current == UInt8(ascii: "\"") {
            let result = quotedString()
            // Text between the quote and the stop is ignored.
            _ = text(until: stops)
            return result
        }
        let token = text(until: stops)
        return String(token.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
