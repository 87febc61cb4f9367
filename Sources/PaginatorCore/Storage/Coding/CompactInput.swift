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
    private var names: [String] = []
    /// Where the next field of an object is expected, by depth: only a hint, and checked.
    private var hints: [(object: Int, offset: Int)] = []

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        guard bytes.count >= 6, bytes[0] == CompactFormat.version else { throw PageCodingError.malformed }
        let input = CompactInput(bytes)
        let table = Int(try input.fixed(UInt32.self, at: bytes.count - 4, end: bytes.count))
        guard table >= 1, table <= bytes.count - 4 else { throw PageCodingError.malformed }
        input.names = try input.readNames(Place(offset: table, end: bytes.count - 4))
        let root = Place(offset: 1, end: table)
        guard try input.end(of: root) == table else { throw PageCodingError.trailing }
        return try input.value(type, at: root, depth: 0)
    }

    private func readNames(_ place: Place) throws -> [String] {
        var place = place
        let count = try varint(&place)
        guard count <= UInt64(place.end - place.offset) else { throw PageCodingError.truncated }
        var names: [String] = []
        for _ in 0..<count { names.append(try text(&place)) }
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

    @inline(__always)
    private func varint(_ place: inout Place) throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard place.offset < place.end else { throw PageCodingError.truncated }
            let byte = bytes[place.offset]
            place.offset += 1
            let bits = UInt64(byte & 0x7f)
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

    private func text(_ place: inout Place) throws -> String {
        let count = try length(&place)
        let start = place.offset
        place.offset += count
        let text = bytes.withUnsafeBufferPointer {
            String(validating: UnsafeBufferPointer(rebasing: $0[start..<start + count]), as: UTF8.self)
        }
        guard let text else { throw PageCodingError.notText }
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
            size = Int(try fixed(UInt32.self, at: inner.offset, end: inner.end)) + 4
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

    func truth(_ place: Place) throws -> Bool {
        var place = place
        switch try tag(&place) {
        case CompactFormat.Tag.no: return false
        case CompactFormat.Tag.yes: return true
        default: throw mismatch(Bool.self)
        }
    }

    func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ place: Place) throws -> Value {
        var place = place
        let value: Value?
        switch try tag(&place) {
        case CompactFormat.Tag.signed:
            let folded = try varint(&place)
            value = Value(exactly: Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1))
        case CompactFormat.Tag.unsigned: value = Value(exactly: try varint(&place))
        default: throw mismatch(type)
        }
        guard let value else { throw mismatch(type) }
        return value
    }

    func double(_ place: Place) throws -> Double {
        var inner = place
        switch try tag(&inner) {
        case CompactFormat.Tag.double:
            return Double(bitPattern: try fixed(UInt64.self, at: inner.offset, end: inner.end))
        case CompactFormat.Tag.float:
            return Double(Float(bitPattern: try fixed(UInt32.self, at: inner.offset, end: inner.end)))
        case CompactFormat.Tag.signed: return Double(try integer(Int64.self, place))
        case CompactFormat.Tag.unsigned: return Double(try integer(UInt64.self, place))
        default: throw mismatch(Double.self)
        }
    }

    func text(_ place: Place) throws -> String {
        var place = place
        guard try tag(&place) == CompactFormat.Tag.text else { throw mismatch(String.self) }
        return try text(&place)
    }

    private func data(_ place: Place) throws -> ArraySlice<UInt8> {
        var place = place
        guard try tag(&place) == CompactFormat.Tag.bytes else { throw mismatch([UInt8].self) }
        let count = try length(&place)
        return bytes[place.offset..<place.offset + count]
    }

    func value<Value: Decodable>(_ type: Value.Type, at place: Place, depth: Int) throws -> Value {
        if let known = try known(type, at: place) { return known }
        guard depth < CompactFormat.maxDepth else { throw PageCodingError.tooDeep }
        return try Value(from: CompactValueDecoder(input: self, place: place, depth: depth))
    }

    /// Reads a value of a type that `CompactOutput` writes in a form of its own.
    private func known<Value: Decodable>(_ type: Value.Type, at place: Place) throws -> Value? {
        if type == String.self { return try text(place) as? Value }
        if type == Int.self { return try integer(Int.self, place) as? Value }
        if type == Double.self { return try double(place) as? Value }
        if type == Bool.self { return try truth(place) as? Value }
        if type == Date.self { return Date(timeIntervalSinceReferenceDate: try double(place)) as? Value }
        if type == UUID.self { return try uuid(place) as? Value }
        if type == Data.self { return Data(try data(place)) as? Value }
        if type == [UInt8].self { return Array(try data(place)) as? Value }
        if type == URL.self, place.offset < place.end, bytes[place.offset] == CompactFormat.Tag.text {
            guard let url = URL(string: try text(place)) else { throw mismatch(URL.self) }
            return url as? Value
        }
        return nil
    }

    private func uuid(_ place: Place) throws -> UUID {
        let data = try data(place)
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

    /// Finds the field called `name`, looking first where the last one found ended.
    ///
    /// - Parameters:
    ///   - fields: the object's fields.
    ///   - isConsumed: whether the next field asked for is expected after this one.
    func field(_ name: String, in fields: Place, depth: Int, isConsumed: Bool) throws -> Place? {
        while hints.count <= depth { hints.append((-1, 0)) }
        let hint = hints[depth]
        let start = hint.object == fields.offset ? hint.offset : fields.offset
        if let found = try scan(for: name, from: start, to: fields.end, first: start != fields.offset) {
            hints[depth] = (fields.offset, isConsumed ? try end(of: found.value) : found.field)
            return found.value
        }
        guard start != fields.offset, let found = try scan(for: name, from: fields.offset, to: fields.end, first: false)
        else { return nil }
        hints[depth] = (fields.offset, isConsumed ? try end(of: found.value) : found.field)
        return found.value
    }

    /// Looks at the field at `offset`, and unless it is only about the first, at those after it.
    private func scan(
        for name: String,
        from offset: Int,
        to end: Int,
        first: Bool
    ) throws -> (field: Int, value: Place)? {
        var place = Place(offset: offset, end: end)
        while place.offset < end {
            let field = place.offset
            let index = try varint(&place)
            guard index < UInt64(names.count) else { throw PageCodingError.malformed }
            if names[Int(index)].hasSameBytes(as: name) { return (field, place) }
            if first { return nil }
            place.offset = try self.end(of: place)
        }
        return nil
    }

    /// The names of an object's fields, in order.
    func fieldNames(in fields: Place) throws -> [String] {
        var place = fields
        var found: [String] = []
        while place.offset < place.end {
            let index = try varint(&place)
            guard index < UInt64(names.count) else { throw PageCodingError.malformed }
            found.append(names[Int(index)])
            place.offset = try end(of: place)
        }
        return found
    }
}
