/// Writes the bytes of an item; see ``BinaryPageItem``.
///
/// Integers take as many bytes as their magnitude needs. Texts and byte arrays are preceded by their length.
public struct PageByteWriter: Sendable {
    /// The bytes written so far.
    public var bytes: [UInt8] { written }

    @usableFromInline
    var written: [UInt8] = []

    /// Creates an empty writer.
    ///
    /// - Parameter capacity: the number of bytes to reserve.
    public init(capacity: Int = 0) {
        written.reserveCapacity(max(0, capacity))
    }

    /// Writes one byte.
    @inlinable
    public mutating func write(byte: UInt8) {
        append(byte)
    }

    /// Writes a Boolean value in one byte.
    @inlinable
    public mutating func write(_ value: Bool) {
        append(value ? 1 : 0)
    }

    /// Writes an unsigned number in 1 to 10 bytes of seven bits each (LEB128).
    @inlinable
    public mutating func write(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a signed number; numbers near zero take the fewest bytes.
    @inlinable
    public mutating func write(_ value: Int64) {
        // ZigZag: the sign becomes the lowest bit.
        write(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Writes a signed number; numbers near zero take the fewest bytes.
    @inlinable
    public mutating func write(_ value: Int) {
        write(Int64(value))
    }

    /// Writes the bits of a floating-point number in 8 bytes.
    public mutating func write(_ value: Double) {
        append(fixed: value.bitPattern)
    }

    /// Writes a text: its length in bytes, then its UTF-8 bytes.
    public mutating func write(_ value: String) {
        // A copy, because `withUTF8` makes a bridged string native, which changes it.
        var value = value
        value.withUTF8 { text in
            write(UInt64(text.count))
            written.append(contentsOf: text)
        }
    }

    /// Writes bytes, preceded by their number.
    public mutating func write(_ value: [UInt8]) {
        write(UInt64(value.count))
        written.append(contentsOf: value)
    }

    /// Writes whether there is a value, then the value.
    ///
    /// - Parameters:
    ///   - value: the value, or `nil`.
    ///   - body: writes the value.
    @inlinable
    public mutating func write<Value>(optional value: Value?, _ body: (inout PageByteWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    /// Writes the number of elements, then each.
    ///
    /// - Parameters:
    ///   - elements: the elements.
    ///   - body: writes one element.
    @inlinable
    public mutating func write<Elements: Collection>(
        all elements: Elements,
        _ body: (inout PageByteWriter, Elements.Element) -> Void
    ) {
        write(UInt64(elements.count))
        // `count` is trusted: a collection with another number of elements leads to an unreadable page.
        for element in elements { body(&self, element) }
    }

    @inlinable
    mutating func append(_ byte: UInt8) {
        written.append(byte)
    }

    /// Appends the bytes of a number, the lowest first.
    mutating func append<Value: FixedWidthInteger & UnsignedInteger>(fixed value: Value) {
        // Byte by byte, so that the format does not depend on the machine's byte order.
        for place in 0..<Value.bitWidth / 8 { written.append(UInt8(truncatingIfNeeded: value >> Value(8 * place))) }
    }
}
