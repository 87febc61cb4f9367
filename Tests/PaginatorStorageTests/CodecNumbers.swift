import PaginatorCore

@testable import PaginatorStorage

/// A field of every kind of number, and of the kinds that may be missing.
struct CodecNumbers: Codable, Hashable, Sendable {
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var float: Float
    var double: Double
    var truth: Bool
    var missing: String?

    static let least = CodecNumbers(
        int: .min, int8: .min, int16: .min, int32: .min, int64: .min, uint: .min, uint8: .min, uint16: .min,
        uint32: .min, uint64: .min, float: -1.5, double: -.greatestFiniteMagnitude, truth: false, missing: nil)
    static let greatest = CodecNumbers(
        int: .max, int8: .max, int16: .max, int32: .max, int64: .max, uint: .max, uint8: .max, uint16: .max,
        uint32: .max, uint64: .max, float: 1.5, double: .leastNonzeroMagnitude, truth: true, missing: "")
}

/// The same as the elements of a list, then a list and an object in it, and what a parent would write.
struct CodecNumberList: Codable, Hashable, Sendable {
    var numbers: CodecNumbers

    private enum Key: String, CodingKey { case inner }

    init(numbers: CodecNumbers) { self.numbers = numbers }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        guard list.count == 17 else { throw PageCodingError("The list has \(list.count ?? -1) elements.") }
        numbers = CodecNumbers(
            int: try list.decode(Int.self), int8: try list.decode(Int8.self), int16: try list.decode(Int16.self),
            int32: try list.decode(Int32.self), int64: try list.decode(Int64.self), uint: try list.decode(UInt.self),
            uint8: try list.decode(UInt8.self), uint16: try list.decode(UInt16.self),
            uint32: try list.decode(UInt32.self), uint64: try list.decode(UInt64.self),
            float: try list.decode(Float.self), double: try list.decode(Double.self), truth: try list.decode(Bool.self),
            missing: try list.decodeNil() ? nil : list.decode(String.self))
        var inner = try list.nestedUnkeyedContainer()
        let object = try list.nestedContainer(keyedBy: Key.self)
        guard try inner.decode(Int.self) == 7, inner.isAtEnd, object.allKeys == [.inner],
            try object.decode(Int.self, forKey: .inner) == 8,
            try list.superDecoder().singleValueContainer().decode(Int.self) == 9, list.isAtEnd
        else { throw PageCodingError.malformed }
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(numbers.int)
        try list.encode(numbers.int8)
        try list.encode(numbers.int16)
        try list.encode(numbers.int32)
        try list.encode(numbers.int64)
        try list.encode(numbers.uint)
        try list.encode(numbers.uint8)
        try list.encode(numbers.uint16)
        try list.encode(numbers.uint32)
        try list.encode(numbers.uint64)
        try list.encode(numbers.float)
        try list.encode(numbers.double)
        try list.encode(numbers.truth)
        if let text = numbers.missing { try list.encode(text) } else { try list.encodeNil() }
        var inner = list.nestedUnkeyedContainer()
        var object = list.nestedContainer(keyedBy: Key.self)
        var parent = list.superEncoder().singleValueContainer()
        try inner.encode(7)
        try object.encode(8, forKey: .inner)
        try parent.encode(9)
    }
}
