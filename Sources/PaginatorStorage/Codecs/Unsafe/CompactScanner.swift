/// The format of ``CompactPageCodec``: a version byte, one value, the table of field names, and the table's offset in
/// four bytes.
///
/// A value is a ``Tag`` and its content. Arrays and objects begin with their length in four bytes, so that they can be
/// skipped. An array continues with its number of values, an object with pairs of a field's index in the table and a
/// value.
enum CompactFormat {
    /// The maximum nesting depth.
    static let maxDepth = 100
    static let version: UInt8 = 1

    enum Tag {
        static let null: UInt8 = 0
        static let no: UInt8 = 1
        static let yes: UInt8 = 2
        static let signed: UInt8 = 3
        static let unsigned: UInt8 = 4
        static let double: UInt8 = 5
        static let float: UInt8 = 6
        static let text: UInt8 = 7
        static let bytes: UInt8 = 8
        static let array: UInt8 = 9
        static let object: UInt8 = 10
    }
}

/// The bytes of one page of ``CompactPageCodec``. Every access is checked.
///
/// Damaged bytes may contain any length. So each length is compared with the remaining bytes before it is converted to
/// an `Int`, which has 32 bits on a watch, or added to an offset.
struct CompactScanner {
    /// A value's place: the offset of its tag, and the end of the enclosing value.
    struct Place {
        var offset: Int
        var end: Int
    }

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(PageCodingError) {
        guard bytes.count >= 6, bytes[0] == CompactFormat.version else { throw .malformed }
        // Decoders store offsets in four bytes.
        guard UInt32(exactly: bytes.count) != nil else { throw .tooLarge }
        self.bytes = bytes
    }

    /// Returns the places of the value and the table of names.
    func parts() throws(PageCodingError) -> (root: Place, names: Place) {
        let last = bytes.count - 4
        let table = Int(clamping: try fixed(UInt32.self, at: last, end: bytes.count))
        guard table <= last else { throw .malformed }
        // An offset within the version byte leaves the value no bytes, which its end finds.
        let root = Place(offset: 1, end: table)
        // Bytes between the value and the names would be unnoticed damage.
        guard try end(of: root) == table else { throw .trailing }
        return (root, Place(offset: table, end: last))
    }

    func fixed<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type,
        at offset: Int,
        end: Int
    ) throws(PageCodingError) -> Value {
        guard MemoryLayout<Value>.size <= end - offset else { throw .truncated }
        // Unaligned, because values follow each other without padding. The bounds were checked.
        return bytes.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }

    func fixed<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type, _ place: inout Place
    ) throws(PageCodingError) -> Value {
        let value = try fixed(type, at: place.offset, end: place.end)
        place.offset += MemoryLayout<Value>.size
        return value
    }

    @inline(__always)
    func varint(_ place: inout Place) throws(PageCodingError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard place.offset < place.end else { throw .truncated }
            let byte = bytes[place.offset]
            place.offset += 1
            let bits = UInt64(byte & 0x7f)
            // Only one bit of the tenth byte fits; further bits would be lost silently.
            guard shift < 63 || (shift == 63 && bits <= 1) else { throw .malformed }
            value |= bits << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    func length(_ place: inout Place) throws(PageCodingError) -> Int {
        let count = try varint(&place)
        // Compared before the conversion, because `Int(count)` would trap for a damaged number.
        guard count <= UInt64(place.end - place.offset) else { throw .truncated }
        return Int(count)
    }

    /// Reads a text's length and bytes.
    func text(_ place: inout Place) throws(PageCodingError) -> String {
        let count = try length(&place)
        let start = place.offset
        place.offset += count
        guard let text = bytes.withUnsafeBytes({ String(exactText: count, at: start, of: $0) }) else {
            throw .notText
        }
        return text
    }

    /// Returns the end of the value at `place`.
    func end(of place: Place) throws(PageCodingError) -> Int {
        guard place.offset < place.end else { throw .truncated }
        var inner = Place(offset: place.offset + 1, end: place.end)
        let size: Int
        switch bytes[place.offset] {
        case CompactFormat.Tag.null, CompactFormat.Tag.no, CompactFormat.Tag.yes: size = 0
        case CompactFormat.Tag.signed, CompactFormat.Tag.unsigned:
            // Its length is known after it was read: `inner` is then past it.
            _ = try varint(&inner)
            size = 0
        case CompactFormat.Tag.double: size = 8
        case CompactFormat.Tag.float: size = 4
        case CompactFormat.Tag.text, CompactFormat.Tag.bytes: size = try length(&inner)
        case CompactFormat.Tag.array, CompactFormat.Tag.object:
            inner.offset += 4
            size = Int(clamping: try fixed(UInt32.self, at: place.offset + 1, end: place.end))
        default: throw .malformed
        }
        // A subtraction, because the sum of an offset and a length could overflow.
        guard size <= inner.end - inner.offset else { throw .truncated }
        return inner.offset + size
    }

    func isNull(_ place: Place) throws(PageCodingError) -> Bool {
        guard place.offset < place.end else { throw .truncated }
        return bytes[place.offset] == CompactFormat.Tag.null
    }

    func tag(_ place: inout Place) throws(PageCodingError) -> UInt8 {
        guard place.offset < place.end else { throw .truncated }
        defer { place.offset += 1 }
        return bytes[place.offset]
    }

    /// Returns the values of the array at `place`, and their number.
    func array(_ place: Place) throws(PageCodingError) -> (Place, count: Int) {
        var inner = try contents(of: place, tag: CompactFormat.Tag.array)
        let count = try fixed(UInt32.self, at: inner.offset, end: inner.end)
        inner.offset += 4
        // Each value takes at least one byte.
        guard count <= inner.end - inner.offset else { throw .truncated }
        return (inner, Int(count))
    }

    /// Returns the fields of the object at `place`.
    func object(_ place: Place) throws(PageCodingError) -> Place {
        try contents(of: place, tag: CompactFormat.Tag.object)
    }

    private func contents(of place: Place, tag: UInt8) throws(PageCodingError) -> Place {
        let end = try end(of: place)
        guard bytes[place.offset] == tag else { throw .malformed }
        // After the tag and the four bytes of the length, which determined the end.
        return Place(offset: place.offset + 5, end: end)
    }
}
