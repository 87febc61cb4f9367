/// An encoder that does nothing but be called: what `Codable` itself costs, whatever the format is.
///
/// Like a real one it makes a container for each object, and like the best one it allocates nothing for that.
enum CodableFloor {
    static func encode(_ value: some Encodable) throws { try value.encode(to: Silent()) }

    private struct Silent: Encoder {
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }
        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            KeyedEncodingContainer(Keyed())
        }
        func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed() }
        func singleValueContainer() -> any SingleValueEncodingContainer { Single() }
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        var codingPath: [any CodingKey] { [] }
        mutating func encodeNil(forKey key: Key) {}
        mutating func encode(_ value: Bool, forKey key: Key) {}
        mutating func encode(_ value: String, forKey key: Key) {}
        mutating func encode(_ value: Double, forKey key: Key) {}
        mutating func encode(_ value: Int, forKey key: Key) {}
        mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try value.encode(to: Silent()) }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy keyType: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(CodableFloor.Keyed<Nested>()) }
        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Unkeyed() }
        mutating func superEncoder() -> any Encoder { Silent() }
        mutating func superEncoder(forKey key: Key) -> any Encoder { Silent() }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        var codingPath: [any CodingKey] { [] }
        var count = 0
        mutating func encodeNil() {}
        mutating func encode(_ value: String) {}
        mutating func encode(_ value: Int) {}
        mutating func encode<T: Encodable>(_ value: T) throws { try value.encode(to: Silent()) }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy keyType: Nested.Type
        ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(Keyed()) }
        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed() }
        mutating func superEncoder() -> any Encoder { Silent() }
    }

    private struct Single: SingleValueEncodingContainer {
        var codingPath: [any CodingKey] { [] }
        mutating func encodeNil() {}
        mutating func encode(_ value: String) {}
        mutating func encode(_ value: Bool) {}
        mutating func encode(_ value: Int) {}
        mutating func encode(_ value: Double) {}
        mutating func encode<T: Encodable>(_ value: T) throws { try value.encode(to: Silent()) }
    }
}
