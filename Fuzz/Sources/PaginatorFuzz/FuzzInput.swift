import PaginatorCore

/// The bytes of one input, taken from the front as numbers, choices and texts; whatever is missing counts as zero.
struct FuzzInput {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func byte() -> UInt8 {
        guard offset < bytes.count else { return 0 }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func bool() -> Bool { byte() & 1 == 1 }

    mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }

    /// A number with small ones, and those at the ends, more often than others.
    mutating func int() -> Int {
        let kind = byte()
        switch kind & 7 {
        case 0: return Int(Int8(bitPattern: byte()))
        case 1: return [Int.max, .min, -1, 0, 1, 1_000, 1_001, 4_096][Int(kind >> 3) & 7]
        case 2: return Int(Int32(truncatingIfNeeded: word()))
        case 3: return Int(truncatingIfNeeded: word())
        default: return Int(kind >> 3)
        }
    }

    mutating func double() -> Double {
        let kind = byte()
        switch kind & 3 {
        case 0: return Double(kind >> 2)
        case 1:
            return [.nan, .infinity, -.infinity, -0.0, 1e300, -1e300, .leastNonzeroMagnitude, 0.5][Int(kind >> 2) & 7]
        default: return Double(bitPattern: word())
        }
    }

    mutating func element<Element>(of choices: [Element]) -> Element { choices[Int(byte()) % choices.count] }

    /// A text with a length of one byte before it; bytes that are not UTF-8 are repaired.
    mutating func text() -> String { String(decoding: take(Int(byte())), as: UTF8.self) }

    mutating func optionalText() -> String? { bool() ? text() : nil }

    mutating func take(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, offset + count)
        defer { offset = end }
        return offset < end ? Array(bytes[offset..<end]) : []
    }

    /// Everything that is left.
    mutating func rest() -> [UInt8] { take(bytes.count) }
}

extension String {
    /// The bytes, which tell more texts apart than `==`.
    var allBytes: [UInt8] { Array(utf8) }
}
