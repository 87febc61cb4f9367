#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of one page under ``CompactPageCodec``, with every access checked.
final class CompactInput {
    /// A value's place: its tag, and where the value it lies in ends.
    struct Place {
        var offset: Int
        var end: Int
    }

    private let bytes: [UInt8]
    private let names: [String]
    /// Where the next field of an object is expected, by depth: only a hint, and checked.
    ///
    /// In memory of this object's own, which nobody else points to: a property would be checked for overlapping accesses
    /// at run time, field by field. No depth is greater than ``CompactFormat/maxDepth``: whoever goes deeper asks first.
    private let hints: UnsafeMutablePointer<(object: Int, offset: Int)>

    private init(_ bytes: [UInt8], _ names: [String]) {
        self.bytes = bytes
        self.names = names
        hints = .allocate(capacity: CompactFormat.maxDepth + 1)
        hints.initialize(repeating: (-1, 0), count: CompactFormat.maxDepth + 1)
    }

    deinit { hints.deallocate() }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        guard bytes.count >= 6, bytes[0] == CompactFormat.version else { throw PageCodingError.malformed }
        // Decoders keep offsets in four bytes each.
        guard UInt32(exactly: bytes.count) != nil else { throw PageCodingError.tooLarge }
        let head = CompactInput(bytes, [])
        let table = Int(clamping: try head.fixed(UInt32.self, at: bytes.count - 4, end: bytes.count))
        guard table >= 1, table <= bytes.count - 4 else { throw PageCodingError.malformed }
        let input = CompactInput(bytes, try head.readNames(Place(offset: table, end: bytes.count - 4)))
        var root = Place(offset: 1, end: table)
        // Something else between the value and the names would be damage that nobody reads.
        guard try input.end(of: root) == table else { throw PageCodingError.trailing }
        return try input.value(type, at: &root, depth: 0)
    }

    private func readNames(_ place: Place) throws -> [String] {
        var place = place
        let count = try varint(&place)
        // Compared before it is converted or trusted: damaged bytes may name any number.
        guard count <= UInt64(place.end - place.offset) else { throw PageCodingError.truncated }
        var names: [String] = []
        for _ in 0..<count { names.append(try bareText(&place)) }
        guard place.offset == place.end else { throw PageCodingError.trailing }
        return names
    }

    // MARK: - Bytes

    private func fixed<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type,
        at offset: Int,
        end: Int
    ) throws -> Value {
        guard MemoryLayout<Value>.size <= end - offset else { throw PageCodingError.truncated }
        return bytes.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }

    private func fixed<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type, _ place: inout Place
    ) throws -> Value {
        let value = try fixed(type, at: place.offset, end: place.end)
        place.offset += MemoryLayout<Value>.size
        return value
    }

    @inline(__always)
    private func varint(_ place: inout Place) throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard place.offset < place.end else { throw PageCodingError.truncated }
            let byte = bytes[place.offset]
            place.offset += 1
            let bits = UInt64(byte & 0x7f)
            // Of the tenth byte one bit fits; more would be dropped in silence.
            guard shift < 63 || (shift == 63 && bits <= 1) else { throw PageCodingError.malformed }
            value |= bits << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    private func length(_ place: inout Place) throws -> Int {
        let count = try varint(&place)
        guard count <= UInt64(place.end - place.offset) else { throw PageCodingError.truncated }
        return Int(count)
    }

    /// Reads a text's length and bytes.
    private func bareText(_ place: inout Place) throws -> String {
        let count = try length(&place)
        let start = place.offset
        place.offset += count
        guard let text = bytes.withUnsafeBytes({ String(exactText: count, at: start, of: $0) }) else {
            throw PageCodingError.notText
        }
        return text
    }

    /// Returns where the value at `place` ends.
    func end(of place: Place) throws -> Int {
        guard place.offset < place.end else { throw PageCodingError.truncated }
        var inner = Place(offset: place.offset + 1, end: place.end)
        let size: Int
        switch bytes[place.offset] {
        case CompactFormat.Tag.null, CompactFormat.Tag.no, CompactFormat.Tag.yes: size = 0
        case CompactFormat.Tag.signed, CompactFormat.Tag.unsigned:
            _ = try varint(&inner)
            size = 0
        case CompactFormat.Tag.double: size = 8
        case CompactFormat.Tag.float: size = 4
        case CompactFormat.Tag.text, CompactFormat.Tag.bytes: size = try length(&inner)
        case CompactFormat.Tag.array, CompactFormat.Tag.object:
            inner.offset += 4
            size = Int(clamping: try fixed(UInt32.self, at: place.offset + 1, end: place.end))
        default: throw PageCodingError.malformed
        }
        guard size <= inner.end - inner.offset else { throw PageCodingError.truncated }
        return inner.offset + size
    }

    // MARK: - Values

    func isNull(_ place: Place) throws -> Bool {
        guard place.offset < place.end else { throw PageCodingError.truncated }
        return bytes[place.offset] == CompactFormat.Tag.null
    }

    private func tag(_ place: inout Place) throws -> UInt8 {
        guard place.offset < place.end else { throw PageCodingError.truncated }
        defer { place.offset += 1 }
        return bytes[place.offset]
    }

    func truth(_ place: inout Place) throws -> Bool {
        switch try tag(&place) {
        case CompactFormat.Tag.no: return false
        case CompactFormat.Tag.yes: return true
        default: throw mismatch(Bool.self)
        }
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ place: inout Place) throws -> Value {
        let value: Value?
        switch try tag(&place) {
        case CompactFormat.Tag.signed:
            let folded = try varint(&place)
            value = Value(exactly: Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1))
        // By the value and not by the type that was written: a field may have become wider, or lost its sign.
        case CompactFormat.Tag.unsigned: value = Value(exactly: try varint(&place))
        default: throw mismatch(type)
        }
        guard let value else { throw mismatch(type) }
        return value
    }

    func double(_ place: inout Place) throws -> Double {
        let start = place
        switch try tag(&place) {
        case CompactFormat.Tag.double: return Double(bitPattern: try fixed(UInt64.self, &place))
        case CompactFormat.Tag.float: return Double(Float(bitPattern: try fixed(UInt32.self, &place)))
        // A field that was a whole number when the page was written.
        case CompactFormat.Tag.signed:
            place = start
            return Double(try integer(Int64.self, &place))
        case CompactFormat.Tag.unsigned:
            place = start
            return Double(try integer(UInt64.self, &place))
        default: throw mismatch(Double.self)
        }
    }

    func text(_ place: inout Place) throws -> String {
        guard try tag(&place) == CompactFormat.Tag.text else { throw mismatch(String.self) }
        return try bareText(&place)
    }

    private func data(_ place: inout Place) throws -> ArraySlice<UInt8> {
        guard try tag(&place) == CompactFormat.Tag.bytes else { throw mismatch([UInt8].self) }
        let count = try length(&place)
        defer { place.offset += count }
        return bytes[place.offset..<place.offset + count]
    }

    /// Reads the value at `place`, and passes over it; those of the types that `CompactOutput` writes in a form of their
    /// own without asking `Codable`.
    func value<Value: Decodable>(_ type: Value.Type, at place: inout Place, depth: Int) throws -> Value {
        // Sound: each cast is to `Value`, from the type that it was just found to be. `as?` would look it up at run time,
        // and an optional of `Value` too.
        if type == String.self { return unsafeBitCast(try text(&place), to: type) }
        if type == Int.self { return unsafeBitCast(try integer(Int.self, &place), to: type) }
        if type == Double.self { return unsafeBitCast(try double(&place), to: type) }
        if type == Bool.self { return unsafeBitCast(try truth(&place), to: type) }
        if type == Date.self {
            return unsafeBitCast(Date(timeIntervalSinceReferenceDate: try double(&place)), to: type)
        }
        if type == UUID.self { return unsafeBitCast(try uuid(&place), to: type) }
        if type == Data.self { return unsafeBitCast(Data(try data(&place)), to: type) }
        if type == [UInt8].self { return unsafeBitCast(Array(try data(&place)), to: type) }
        if type == URL.self, place.offset < place.end, bytes[place.offset] == CompactFormat.Tag.text {
            guard let url = URL(string: try text(&place)) else { throw mismatch(URL.self) }
            return unsafeBitCast(url, to: type)
        }
        guard depth < CompactFormat.maxDepth else { throw PageCodingError.tooDeep }
        return try Value(from: decoder(at: &place, depth: depth))
    }

    /// Returns a decoder of the value at `place`, and passes over it.
    func decoder(at place: inout Place, depth: Int) throws -> CompactValueDecoder {
        let end = try end(of: place)
        defer { place.offset = end }
        return CompactValueDecoder(input: self, place: Place(offset: place.offset, end: end), depth: depth)
    }

    private func uuid(_ place: inout Place) throws -> UUID {
        let data = try data(&place)
        // Asked before 16 bytes are read, whatever the file says.
        guard data.count == 16 else { throw mismatch(UUID.self) }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    func mismatch(_ type: any Any.Type) -> any Error {
        PageCodingError("A value is not a \(type).")
    }

    // MARK: - Containers

    /// Returns the values inside the array at `place`, and how many they are.
    func array(_ place: Place) throws -> (Place, count: Int) {
        var inner = try contents(of: place, tag: CompactFormat.Tag.array)
        let count = try fixed(UInt32.self, at: inner.offset, end: inner.end)
        inner.offset += 4
        guard count <= inner.end - inner.offset else { throw PageCodingError.truncated }
        return (inner, Int(count))
    }

    /// Returns the fields inside the object at `place`.
    func object(_ place: Place) throws -> Place {
        try contents(of: place, tag: CompactFormat.Tag.object)
    }

    private func contents(of place: Place, tag: UInt8) throws -> Place {
        let end = try end(of: place)
        guard bytes[place.offset] == tag else { throw PageCodingError.malformed }
        return Place(offset: place.offset + 5, end: end)
    }

    /// Finds the field called `name`, looking first where the next one is expected, and returns where its value is.
    ///
    /// - Parameter fields: the object's fields.
    func field(_ name: String, in fields: Place, depth: Int) throws -> Place? {
        let hint = hints[depth]
        let start = hint.object == fields.offset ? hint.offset : fields.offset
        if start < fields.end {
            var place = Place(offset: start, end: fields.end)
            if try self.name(at: &place).hasSameBytesMostly(as: name) { return place }
        }
        guard let found = try scan(for: name, in: fields) else { return nil }
        // Types that ask whether a field is there ask for its value next.
        hints[depth] = (fields.offset, found.field)
        return found.value
    }

    /// Notes where the next field of an object is expected.
    @inline(__always)
    func expectField(at offset: Int, in fields: Place, depth: Int) {
        hints[depth] = (fields.offset, offset)
    }

    /// Looks at an object's fields from the first on.
    private func scan(for name: String, in fields: Place) throws -> (field: Int, value: Place)? {
        var place = fields
        while place.offset < place.end {
            let field = place.offset
            if try self.name(at: &place).hasSameBytesMostly(as: name) { return (field, place) }
            place.offset = try end(of: place)
        }
        return nil
    }

    /// Reads the name of the field at `place`, and passes over it to the field's value.
    @inline(__always)
    private func name(at place: inout Place) throws -> String {
        let index = try varint(&place)
        guard index < UInt64(names.count) else { throw PageCodingError.malformed }
        return names[Int(index)]
    }

    /// The names of an object's fields, in order.
    func fieldNames(in fields: Place) throws -> [String] {
        var place = fields
        var found: [String] = []
        while place.offset < place.end {
            found.append(try name(at: &place))
            place.offset = try end(of: place)
        }
        return found
    }
}
