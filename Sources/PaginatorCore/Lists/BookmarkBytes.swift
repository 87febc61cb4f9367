/// Writes numbers in seven bits a byte (LEB128), and texts after their length.
struct BookmarkWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter number: not negative.
    mutating func write(_ number: Int) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func write(_ text: String) {
        write(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }
}

/// Reads what a ``BookmarkWriter`` wrote; anything else is `nil`.
struct BookmarkReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> Int? {
        var value = 0
        // Nine bytes have 63 bits at most, which never makes a number negative; a tenth is no number of ours.
        for shift in stride(from: 0, to: Int.bitWidth - 1, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            let bits = Int(byte & 0x7f)
            guard (bits << shift) >> shift == bits else { return nil }
            value |= bits << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    mutating func text() -> String? {
        guard let count = number(), count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        let bytes = rest.prefix(count)
        // Bytes that are not UTF-8 are repaired, and then differ.
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    mutating func texts() -> [String]? {
        guard let count = number(), count <= rest.count else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }
}
