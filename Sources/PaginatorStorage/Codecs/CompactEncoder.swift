/// The encoder of one value of ``CompactPageCodec``.
struct CompactValueEncoder: Encoder, SingleValueEncodingContainer {
    let output: CompactOutput
    let level: Int

    // Storing it would allocate for each field, and only errors would show it.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        output.openObject(at: level)
        return KeyedEncodingContainer(CompactObjectEncoder(output: output, level: level))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        output.openArray(at: level)
        return CompactArrayEncoder(output: output, level: level)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        output.openSingle(at: level)
        return self
    }

    func encodeNil() throws { output.writeNull() }
    func encode(_ value: Bool) throws { output.write(truth: value) }
    func encode(_ value: String) throws { output.write(text: value) }
    func encode(_ value: Double) throws { output.write(double: value) }
    func encode(_ value: Float) throws { output.write(float: value) }
    func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws { output.write(integer: value) }
    func encode<Value: Encodable>(_ value: Value) throws { try output.write(value) }
}

/// Writes the fields of an object.
struct CompactObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let output: CompactOutput
    let level: Int

    var codingPath: [any CodingKey] { [] }

    private func field(_ key: some CodingKey, _ body: () throws -> Void) throws {
        try output.beginField(key.stringValue, at: level)
        try body()
    }

    func encodeNil(forKey key: Key) throws { try field(key) { output.writeNull() } }
    func encode(_ value: Bool, forKey key: Key) throws { try field(key) { output.write(truth: value) } }
    func encode(_ value: String, forKey key: Key) throws { try field(key) { output.write(text: value) } }
    func encode(_ value: Double, forKey key: Key) throws { try field(key) { output.write(double: value) } }
    func encode(_ value: Float, forKey key: Key) throws { try field(key) { output.write(float: value) } }

    // Inlined, because the witnesses of this generic type would call it unspecialized.
    @inline(__always)
    func encode<Value: FixedWidthInteger & Encodable>(_ value: Value, forKey key: Key) throws {
        try field(key) { output.write(integer: value) }
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try field(key) { try output.write(value) } }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        child(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { child(forKey: CompactKey.parent) }

    func superEncoder(forKey key: Key) -> any Encoder { child(forKey: key) }

    private func child(forKey key: some CodingKey) -> CompactValueEncoder {
        do {
            try output.beginField(key.stringValue, at: level)
        } catch {
            // `Encoder` does not let this throw, so the error is thrown at the end.
            output.markMisused()
        }
        // An output of its own, because a type may fill several nested containers alternately, and bytes are written
        // sequentially.
        return CompactValueEncoder(output: output.makeChild(at: level), level: 0)
    }
}

/// Writes the values of an array.
struct CompactArrayEncoder: UnkeyedEncodingContainer {
    let output: CompactOutput
    let level: Int

    var codingPath: [any CodingKey] { [] }
    var count: Int { output.count(at: level) }

    private func element(_ body: () throws -> Void) throws {
        try output.beginElement(at: level)
        try body()
    }

    func encodeNil() throws { try element { output.writeNull() } }
    func encode(_ value: Bool) throws { try element { output.write(truth: value) } }
    func encode(_ value: String) throws { try element { output.write(text: value) } }
    func encode(_ value: Double) throws { try element { output.write(double: value) } }
    func encode(_ value: Float) throws { try element { output.write(float: value) } }

    func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
        try element { output.write(integer: value) }
    }

    func encode<Value: Encodable>(_ value: Value) throws { try element { try output.write(value) } }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }

    func superEncoder() -> any Encoder { child() }

    private func child() -> CompactValueEncoder {
        do {
            try output.beginElement(at: level)
        } catch {
            output.markMisused()
        }
        return CompactValueEncoder(output: output.makeChild(at: level), level: 0)
    }
}
