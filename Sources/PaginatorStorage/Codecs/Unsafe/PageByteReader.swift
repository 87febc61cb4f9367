/// Reads what a ``PageByteWriter`` wrote, and throws a ``PageCodingError`` for anything else. It never traps.
///
/// Its memory accesses are unchecked. They are sound because `0 <= offset <= end <= bytes.count` always holds: only the
/// methods here change `offset`, after a comparison with the remaining bytes, and `endFrame(_:in:)` restores `end`.
public struct PageByteReader: Sendable {
    @usableFromInline
    var bytes: [UInt8]
    /// The offset of the next value.
    @usableFromInline
    var offset: Int
    /// The end of the item or the page, at most that of the bytes.
    @usableFromInline
    var end: Int

    /// Creates a reader of all `bytes`.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    /// Whether everything was read. An item with fields added in a later version checks this before it reads them.
    @inlinable
    public var isAtEnd: Bool { offset == end }

    /// The number of unread bytes.
    @inlinable
    public var remaining: Int { end &- offset }

    /// Reads one byte.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or hold something else.
    @inlinable
    @inline(__always)
    public mutating func readByte() throws -> UInt8 {
        let start = offset
        guard start < end else { throw PageCodingError.endsTooEarly() }
        offset = start &+ 1
        return byte(at: start)
    }

    /// - Parameter place: less than `end`.
    @inlinable
    func byte(at place: Int) -> UInt8 {
        bytes.withUnsafeBufferPointer { $0[place] }
    }

    /// Reads a Boolean value.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or hold something else.
    @inlinable
    @inline(__always)
    public mutating func readBool() throws -> Bool {
        let byte = try readByte()
        guard byte <= 1 else { throw PageCodingError.isMalformed() }
        return byte == 1
    }

    /// Reads an unsigned number.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or hold something else.
    @inlinable
    @inline(__always)
    public mutating func readUInt64() throws -> UInt64 {
        // Most numbers take one or two bytes. Both are read without a branch, because it would often be mispredicted.
        let start = offset
        if start &+ 1 < end {
            let first = UInt64(byte(at: start))
            let second = UInt64(byte(at: start &+ 1))
            if first & second < 0x80 {
                let others = first >> 7
                offset = start &+ 1 &+ Int(truncatingIfNeeded: others)
                return first & 0x7f | (second << 7) & (0 &- others)
            }
        }
        return try readLongNumber()
    }

    /// Reads a number of any length; `readUInt64()` reads one or two bytes inline.
    @usableFromInline
    @inline(never)
    mutating func readLongNumber() throws -> UInt64 {
        let start = offset
        guard end &- start >= 8 else { return try readNumberByBytes() }
        // In a word of eight bytes, the number ends at the first byte without its highest bit.
        let word = bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        let ends = ~word & 0x8080_8080_8080_8080
        // More than eight bytes, or damage: byte by byte, with every check.
        guard ends != 0 else { return try readNumberByBytes() }
        offset = start &+ ends.trailingZeroBitCount / 8 &+ 1
        // The seven bits of each byte are combined in pairs, then fours, then all eight.
        var value = word & (ends ^ (ends &- 1)) & 0x7f7f_7f7f_7f7f_7f7f
        value = value & 0x007f_007f_007f_007f | (value & 0x7f00_7f00_7f00_7f00) >> 1
        value = value & 0x0000_3fff_0000_3fff | (value & 0x3fff_0000_3fff_0000) >> 2
        return value & 0x0000_0000_0fff_ffff | (value & 0x0fff_ffff_0000_0000) >> 4
    }

    @inline(never)
    private mutating func readNumberByBytes() throws -> UInt64 {
        var place = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while place < end {
            let byte = byte(at: place)
            let bits = UInt64(byte & 0x7f)
            // Only one bit of the tenth byte fits; further bits would be lost silently.
            guard shift < 63 || (shift == 63 && bits <= 1) else { throw PageCodingError.malformed }
            value |= bits << shift
            place &+= 1
            if byte < 0x80 {
                offset = place
                return value
            }
            shift &+= 7
        }
        throw PageCodingError.truncated
    }

    /// Reads a signed number.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or hold something else.
    @inlinable
    @inline(__always)
    public mutating func readInt64() throws -> Int64 {
        let folded = try readUInt64()
        return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }

    /// Reads a signed number that fits into an `Int`.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or hold something else.
    @inlinable
    @inline(__always)
    public mutating func readInt() throws -> Int {
        // A number from a 64-bit device may not fit on a watch.
        guard let value = Int(exactly: try readInt64()) else { throw PageCodingError.isMalformed() }
        return value
    }

    /// Reads a floating-point number.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or hold something else.
    @inlinable
    public mutating func readDouble() throws -> Double {
        Double(bitPattern: try readFixed())
    }

    /// Reads a number of eight bytes.
    @inlinable
    mutating func readFixed() throws -> UInt64 {
        let start = offset
        guard remaining >= 8 else { throw PageCodingError.endsTooEarly() }
        offset = start &+ 8
        let word = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) }
        return UInt64(littleEndian: word)
    }

    /// Reads a text.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or hold something else.
    public mutating func readString() throws -> String {
        let count = try readCount()
        let start = offset
        offset = start &+ count
        guard let text = bytes.withUnsafeBytes({ String(exactText: count, at: start, of: $0) }) else {
            throw PageCodingError.notText
        }
        return text
    }

    /// Reads bytes.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or hold something else.
    public mutating func readBytes() throws -> [UInt8] {
        let count = try readCount()
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    /// Reads an optional value.
    ///
    /// - Parameter body: reads the value.
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or the error of `body`.
    @inlinable
    public mutating func readOptional<Value>(_ body: (inout PageByteReader) throws -> Value) throws -> Value? {
        try readBool() ? try body(&self) : nil
    }

    /// Reads the elements of an array. Each must take at least one byte.
    ///
    /// - Parameter body: reads one element.
    /// - Throws: a ``PageCodingError`` if the bytes end before it, or the error of `body`.
    @inlinable
    public mutating func readAll<Element>(_ body: (inout PageByteReader) throws -> Element) throws -> [Element] {
        let count = try readCount()
        // Array literals need no capacity check, and most arrays in items are short.
        if count == 1 { return [try body(&self)] }
        if count == 2 {
            let first = try body(&self)
            return [first, try body(&self)]
        }
        guard count > 0 else { return [] }
        var elements: [Element] = []
        // Damaged bytes may claim more elements than there are.
        elements.reserveCapacity(min(count, 4_096))
        var left = count
        repeat {
            elements.append(try body(&self))
            left &-= 1
        } while left > 0
        return elements
    }

    /// Reads a number of elements that take at least one byte each, so it is at most ``remaining``.
    @inlinable
    mutating func readCount() throws -> Int {
        let count = try readUInt64()
        guard count <= UInt64(truncatingIfNeeded: remaining) else { throw PageCodingError.endsTooEarly() }
        return Int(truncatingIfNeeded: count)
    }

    /// Reads a length, and limits the reader to that many bytes until ``endFrame(_:in:)``.
    @inlinable
    mutating func beginFrame() throws -> Frame {
        let count = try readCount()
        // Cannot overflow: `readCount()` compared it with the remaining bytes.
        let frame = Frame(end: offset &+ count, outerEnd: end)
        end = frame.end
        return frame
    }

    /// Skips the rest of a frame, and continues after it.
    ///
    /// - Parameters:
    ///   - frame: the result of ``beginFrame()``.
    ///   - all: the reader's bytes at that time, because an item may have replaced the reader.
    @inlinable
    mutating func endFrame(_ frame: Frame, in all: [UInt8]) {
        let isSame = bytes.withUnsafeBufferPointer { own in
            all.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && own.count == $0.count }
        }
        // Otherwise the offsets would belong to other bytes. Compared by address, because comparing bytes costs as much
        // as reading them.
        if !isSame { bytes = all }
        offset = frame.end
        end = frame.outerEnd
    }

    /// The end of an item, and that of the enclosing part.
    @usableFromInline
    struct Frame {
        @usableFromInline
        let end: Int
        @usableFromInline
        let outerEnd: Int

        @usableFromInline
        init(end: Int, outerEnd: Int) {
            self.end = end
            self.outerEnd = outerEnd
        }
    }
}

extension PageCodingError {
    // Not inlined into the modules of items.
    @usableFromInline
    @inline(never)
    static func endsTooEarly() -> any Error { truncated }
    @usableFromInline
    @inline(never)
    static func isMalformed() -> any Error { malformed }
    @usableFromInline
    @inline(never)
    static func hasBytesLeftOver() -> any Error { trailing }
}
