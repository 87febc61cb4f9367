/// The decoder of one value of ``CompactPageCodec``.
///
/// Three words, so that an `any Decoder` holds it without an allocation.
struct CompactValueDecoder: Decoder, SingleValueDecodingContainer {
    private let input: CompactInput
    private let start: UInt32
    private let end: UInt32
    private let inner: UInt32

    /// Creates a decoder of a value. Offsets have four bytes, which is enough for any input.
    init(input: CompactInput, place: CompactInput.Place, depth: Int) {
        self.input = input
        start = UInt32(truncatingIfNeeded: place.offset)
        end = UInt32(truncatingIfNeeded: place.end)
        inner = UInt32(truncatingIfNeeded: depth)
    }

    private var place: CompactInput.Place { CompactInput.Place(offset: Int(start), end: Int(end)) }
    private var depth: Int { Int(inner) }

    // Storing it would allocate for each field, and only errors would show it.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(CompactObjectDecoder(input: input, fields: try input.object(place), depth: depth))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let (values, count) = try input.array(place)
        return CompactArrayDecoder(input: input, place: values, total: count, depth: depth)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool {
        // An offset outside the bytes is not null; the next call throws the error.
        (try? input.isNull(place)) ?? false
    }

    @inline(__always)
    private func read<Value>(_ body: (CompactInput, inout CompactInput.Place) throws -> Value) rethrows -> Value {
        var place = place
        return try body(input, &place)
    }

    func decode(_ type: Bool.Type) throws -> Bool { try read { try $0.truth(&$1) } }
    func decode(_ type: String.Type) throws -> String { try read { try $0.text(&$1) } }
    func decode(_ type: Double.Type) throws -> Double { try read { try $0.double(&$1) } }
    func decode(_ type: Float.Type) throws -> Float { Float(try read { try $0.double(&$1) }) }

    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        try read { try $0.integer(type, &$1) }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // A value that decodes itself as a single value also counts as deeper, so that endless recursion is stopped.
        let inner = depth + 1
        return try read { try $0.value(type, at: &$1, depth: inner) }
    }
}

/// Reads the fields of an object.
struct CompactObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let input: CompactInput
    let fields: CompactInput.Place
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        // An object that cannot be read has no keys; reading one of its fields throws the error.
        ((try? input.fieldNames(in: fields)) ?? []).compactMap(Key.init(stringValue:))
    }

    /// Reads the field's value. The next field is then expected.
    @inline(__always)
    private func read<Value>(
        _ key: some CodingKey, _ body: (CompactInput, inout CompactInput.Place) throws -> Value
    ) throws -> Value {
        let found = try input.field(key.stringValue, in: fields, depth: depth)
        guard var place = found else { throw PageCodingError("The field \(key.stringValue) is missing.") }
        let value = try body(input, &place)
        // Types usually read fields in the order in which they wrote them, so the next one is found without a search.
        input.expectField(at: place.offset, in: fields, depth: depth)
        return value
    }

    /// Does the same for a field that may be missing or null.
    @inline(__always)
    private func readIfPresent<Value>(
        _ key: Key, _ body: (CompactInput, inout CompactInput.Place) throws -> Value
    ) throws -> Value? {
        guard var place = try input.field(key.stringValue, in: fields, depth: depth) else { return nil }
        if try input.isNull(place) {
            // A null consists of its tag.
            input.expectField(at: place.offset + 1, in: fields, depth: depth)
            return nil
        }
        let value = try body(input, &place)
        input.expectField(at: place.offset, in: fields, depth: depth)
        return value
    }

    func contains(_ key: Key) -> Bool {
        // As for `allKeys`: an object that cannot be read contains no keys.
        (try? input.field(key.stringValue, in: fields, depth: depth)) != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        let found = try input.field(key.stringValue, in: fields, depth: depth)
        guard let found else { throw PageCodingError("The field \(key.stringValue) is missing.") }
        return try input.isNull(found)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) { try $0.truth(&$1) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) { try $0.text(&$1) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) { try $0.double(&$1) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try read(key) { try $0.double(&$1) }) }

    // Inlined, because the witnesses of this generic type would call it unspecialized.
    @inline(__always)
    func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try read(key) { try $0.integer(type, &$1) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let inner = depth + 1
        return try read(key) { try $0.value(type, at: &$1, depth: inner) }
    }

    // The default implementations search for a field three times: whether it exists, whether it is null, and its value.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try readIfPresent(key) { try $0.truth(&$1) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try readIfPresent(key) { try $0.text(&$1) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try readIfPresent(key) { try $0.double(&$1) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try readIfPresent(key) { try $0.integer(type, &$1) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let inner = depth + 1
        return try readIfPresent(key) { try $0.value(type, at: &$1, depth: inner) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(CompactKey.parent) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: some CodingKey) throws -> CompactValueDecoder {
        // Bytes from a file decide the depth, and a stack overflow cannot be caught.
        let inner = depth + 1
        guard inner < CompactFormat.maxDepth else { throw PageCodingError.tooDeep }
        return try read(key) { try $0.decoder(at: &$1, depth: inner) }
    }
}

/// Reads the values of an array.
struct CompactArrayDecoder: UnkeyedDecodingContainer {
    let input: CompactInput
    var place: CompactInput.Place
    let total: Int
    let depth: Int
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { [] }
    // Bounded by the available bytes, since each element takes at least one: arrays reserve this capacity.
    var count: Int? { total }
    var isAtEnd: Bool { currentIndex >= total }

    /// Reads the next value, and moves past it on success.
    @inline(__always)
    private mutating func next<Value>(
        _ body: (CompactInput, inout CompactInput.Place) throws -> Value
    ) throws -> Value {
        guard !isAtEnd else { throw PageCodingError.truncated }
        // The offset moves only after a successful read, so a caller may try another type at the same offset.
        var following = place
        let value = try body(input, &following)
        place = following
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw PageCodingError.truncated }
        // Moves past it only if it is null; otherwise the caller reads the value next.
        guard try input.isNull(place) else { return false }
        place.offset += 1
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.truth(&$1) } }
    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.text(&$1) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.double(&$1) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next { Float(try $0.double(&$1)) } }

    mutating func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
        try next { try $0.integer(type, &$1) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let inner = depth + 1
        return try next { try $0.value(type, at: &$1, depth: inner) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try nextDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nextDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try nextDecoder() }

    private mutating func nextDecoder() throws -> CompactValueDecoder {
        let inner = depth + 1
        guard inner < CompactFormat.maxDepth else { throw PageCodingError.tooDeep }
        return try next { try $0.decoder(at: &$1, depth: inner) }
    }
}
