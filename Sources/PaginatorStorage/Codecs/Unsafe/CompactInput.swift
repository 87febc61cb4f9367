#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of one page of ``CompactPageCodec``. Every access is checked.
final class CompactInput {
    typealias Place = CompactScanner.Place

    private let scanner: CompactScanner
    private let names: [String]
    /// A hint for the next field of an object, by depth; it is checked.
    ///
    /// In separate memory whose pointer is never passed on, because a property would be checked for exclusive access at
    /// run time for each field. The index is below ``CompactFormat/maxDepth``, which is checked before going deeper.
    private let hints: UnsafeMutablePointer<(object: Int, offset: Int)>

    private init(_ scanner: CompactScanner, _ names: [String]) {
        self.scanner = scanner
        self.names = names
        hints = .allocate(capacity: CompactFormat.maxDepth)
        hints.initialize(repeating: (-1, 0), count: CompactFormat.maxDepth)
    }

    deinit { hints.deallocate() }

    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        let scanner = try CompactScanner(bytes)
        var (root, table) = try scanner.parts()
        let input = CompactInput(scanner, try names(table, of: scanner))
        return try input.value(type, at: &root, depth: 0)
    }

    private static func names(_ place: Place, of scanner: CompactScanner) throws -> [String] {
        var place = place
        var names: [String] = []
        for _ in 0..<(try scanner.length(&place)) { names.append(try scanner.text(&place)) }
        guard place.offset == place.end else { throw PageCodingError.trailing }
        return names
    }

    // MARK: - Values

    func isNull(_ place: Place) throws -> Bool { try scanner.isNull(place) }

    func truth(_ place: inout Place) throws -> Bool {
        switch try scanner.tag(&place) {
        case CompactFormat.Tag.no: return false
        case CompactFormat.Tag.yes: return true
        default: throw mismatch(Bool.self)
        }
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ place: inout Place) throws -> Value {
        let value: Value?
        switch try scanner.tag(&place) {
        case CompactFormat.Tag.signed:
            let folded = try scanner.varint(&place)
            value = Value(exactly: Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1))
        // By value and not by the written type: a field may have become wider or unsigned.
        case CompactFormat.Tag.unsigned: value = Value(exactly: try scanner.varint(&place))
        default: throw mismatch(type)
        }
        guard let value else { throw mismatch(type) }
        return value
    }

    func double(_ place: inout Place) throws -> Double {
        let start = place
        switch try scanner.tag(&place) {
        case CompactFormat.Tag.double: return Double(bitPattern: try scanner.fixed(UInt64.self, &place))
        case CompactFormat.Tag.float: return Double(Float(bitPattern: try scanner.fixed(UInt32.self, &place)))
        // The field was a whole number when the page was written.
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
        guard try scanner.tag(&place) == CompactFormat.Tag.text else { throw mismatch(String.self) }
        return try scanner.text(&place)
    }

    private func data(_ place: inout Place) throws -> ArraySlice<UInt8> {
        guard try scanner.tag(&place) == CompactFormat.Tag.bytes else { throw mismatch([UInt8].self) }
        let count = try scanner.length(&place)
        defer { place.offset += count }
        return scanner.bytes[place.offset..<place.offset + count]
    }

    /// Reads the value at `place` and moves past it, for the types that `CompactOutput` writes without `Codable`.
    func value<Value: Decodable>(_ type: Value.Type, at place: inout Place, depth: Int) throws -> Value {
        // Sound: each cast is to `Value`, from the type that `Value` was just compared with. `as?` would look the types
        // up at run time.
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
        if type == URL.self, place.offset < place.end, scanner.bytes[place.offset] == CompactFormat.Tag.text {
            guard let url = URL(string: try text(&place)) else { throw mismatch(URL.self) }
            return unsafeBitCast(url, to: type)
        }
        guard depth < CompactFormat.maxDepth else { throw PageCodingError.tooDeep }
        return try Value(from: decoder(at: &place, depth: depth))
    }

    /// Returns a decoder of the value at `place`, and moves past it.
    func decoder(at place: inout Place, depth: Int) throws -> CompactValueDecoder {
        let end = try scanner.end(of: place)
        defer { place.offset = end }
        return CompactValueDecoder(input: self, place: Place(offset: place.offset, end: end), depth: depth)
    }

    private func uuid(_ place: inout Place) throws -> UUID {
        let data = try data(&place)
        // Checked before 16 bytes are read, because the length comes from the file.
        guard data.count == 16 else { throw mismatch(UUID.self) }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    func mismatch(_ type: any Any.Type) -> any Error {
        PageCodingError("A value is not a \(type).")
    }

    // MARK: - Containers

    func array(_ place: Place) throws -> (Place, count: Int) { try scanner.array(place) }

    func object(_ place: Place) throws -> Place { try scanner.object(place) }

    /// Finds the value of a field by name. The field at the hint is tried first.
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
        // A type that checks for a field usually reads its value next.
        hints[depth] = (fields.offset, found.field)
        return found.value
    }

    /// Records where the next field of an object is expected.
    @inline(__always)
    func expectField(at offset: Int, in fields: Place, depth: Int) {
        hints[depth] = (fields.offset, offset)
    }

    /// Searches an object's fields from the first.
    private func scan(for name: String, in fields: Place) throws -> (field: Int, value: Place)? {
        var place = fields
        while place.offset < place.end {
            let field = place.offset
            if try self.name(at: &place).hasSameBytesMostly(as: name) { return (field, place) }
            place.offset = try scanner.end(of: place)
        }
        return nil
    }

    /// Reads the name of the field at `place`, and moves to its value.
    @inline(__always)
    private func name(at place: inout Place) throws -> String {
        let index = try scanner.varint(&place)
        guard index < UInt64(names.count) else { throw PageCodingError.malformed }
        return names[Int(index)]
    }

    /// The names of an object's fields, in order.
    func fieldNames(in fields: Place) throws -> [String] {
        var place = fields
        var found: [String] = []
        while place.offset < place.end {
            found.append(try name(at: &place))
            place.offset = try scanner.end(of: place)
        }
        return found
    }
}
