/// Reads what a ``PageByteWriter`` wrote, and throws a ``PageCodingError`` on anything else; it never traps.
public struct PageByteReader: Sendable {
    @usableFromInline
    let bytes: [UInt8]
    /// Where the next value begins.
    @usableFromInline
    var offset: Int
    /// Where the item, or the page, ends: never behind the bytes.
    @usableFromInline
    let end: Int

    /// Makes a reader of all of `bytes`.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], from offset: Int, to end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    /// Whether everything was read. An item of a later version, which has fields added at its end, asks this to see
    /// whether they were written.
    @inlinable
    public var isAtEnd: Bool { offset == end }

    /// The number of bytes not read yet.
    @inlinable
    public var remaining: Int { end - offset }

    /// Reads one byte.
    @inlinable
    public mutating func readByte() throws -> UInt8 {
        guard offset < end else { throw PageCodingError.endsTooEarly() }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads a truth value.
    @inlinable
    public mutating func readBool() throws -> Bool {
        switch try readByte() {
        case 0: false
        case 1: true
        default: throw PageCodingError.isMalformed()
        }
    }

    /// Reads a number without a sign.
    @inlinable
    public mutating func readUInt64() throws -> UInt64 {
        // Most numbers take one byte or two.
        let start = offset
        guard start < end else { throw PageCodingError.endsTooEarly() }
        let first = bytes[start]
        if first < 0x80 {
            offset = start &+ 1
            return UInt64(first)
        }
        guard start &+ 1 < end, bytes[start &+ 1] < 0x80 else { return try readLongNumber() }
        offset = start &+ 2
        return UInt64(first & 0x7f) | UInt64(bytes[start &+ 1]) << 7
    }

    @usableFromInline
    mutating func readLongNumber() throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try readByte()
            let bits = UInt64(byte & 0x7f)
            guard shift < 63 || (shift == 63 && bits <= 1) else { throw PageCodingError.malformed }
            value |= bits << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    /// Reads a number with a sign.
    @inlinable
    public mutating func readInt64() throws -> Int64 {
        let folded = try readUInt64()
        return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }

    /// Reads a number with a sign that fits an `Int`.
    @inlinable
    public mutating func readInt() throws -> Int {
        guard let value = Int(exactly: try readInt64()) else { throw PageCodingError.isMalformed() }
        return value
    }

    /// Reads a floating-point number.
    public mutating func readDouble() throws -> Double {
        Double(bitPattern: try readFixed(UInt64.self))
    }

    /// Reads a text.
    public mutating func readString() throws -> String {
        let count = try readCount()
        defer { offset += count }
        let text = bytes.withUnsafeBufferPointer {
            String(exactText: UnsafeBufferPointer(rebasing: $0[offset..<offset + count]))
        }
        guard let text else { throw PageCodingError.notText }
        return text
    }

    /// Reads bytes.
    public mutating func readBytes() throws -> [UInt8] {
        let count = try readCount()
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Reads a value that may be missing.
    ///
    /// - Parameter body: reads the value.
    @inlinable
    public mutating func readOptional<Value>(_ body: (inout PageByteReader) throws -> Value) throws -> Value? {
        try readBool() ? try body(&self) : nil
    }

    /// Reads the elements of an array. Each must take at least one byte.
    ///
    /// - Parameter body: reads one element.
    @inlinable
    public mutating func readAll<Element>(_ body: (inout PageByteReader) throws -> Element) throws -> [Element] {
        let count = try readCount()
        var elements: [Element] = []
        elements.reserveCapacity(min(count, 4_096))
        for _ in 0..<count { elements.append(try body(&self)) }
        return elements
    }

    /// Reads a number that counts things of at least one byte each, so it is never greater than ``remaining``.
    @inlinable
    mutating func readCount() throws -> Int {
        guard let count = Int(exactly: try readUInt64()), count <= remaining else {
            throw PageCodingError.endsTooEarly()
        }
        return count
    }

    /// Reads a length, and returns a reader of as many bytes, which it passes over.
    @usableFromInline
    mutating func readFrame() throws -> PageByteReader {
        let count = try readCount()
        defer { offset += count }
        return PageByteReader(bytes, from: offset, to: offset + count)
    }

    package mutating func readFixed<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type) throws -> Value {
        let size = MemoryLayout<Value>.size
        guard size <= remaining else { throw PageCodingError.truncated }
        defer { offset += size }
        return bytes.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
}
