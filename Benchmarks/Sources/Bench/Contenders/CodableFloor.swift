/// An encoder and a decoder that do nothing but be called: what `Codable` itself costs, whatever the format is.
///
/// Like real ones they make a container for each object, and like the best ones they allocate nothing for that.
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

    /// Decodes an array of so many from nothing: each value is at hand, each array within has one element.
    static func decode<Item: Decodable>(_ type: [Item].Type, count: Int) throws -> [Item] {
        try [Item](from: Ready(count: count))
    }

    private struct Ready: Decoder {
        let count: Int
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }
        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
            KeyedDecodingContainer(ReadyKeyed())
        }
        func unkeyedContainer() -> any UnkeyedDecodingContainer { ReadyUnkeyed(number: count) }
        func singleValueContainer() -> any SingleValueDecodingContainer { ReadySingle() }
    }

    private struct ReadyKeyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }
        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode(_ type: Bool.Type, forKey key: Key) -> Bool { true }
        func decode(_ type: String.Type, forKey key: Key) -> String { CodableFloor.text }
        func decode(_ type: Double.Type, forKey key: Key) -> Double { 1 }
        func decode(_ type: Int.Type, forKey key: Key) -> Int { 1 }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try T(from: Ready(count: 1)) }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedDecodingContainer<Nested> { KeyedDecodingContainer(ReadyKeyed<Nested>()) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { ReadyUnkeyed(number: 1) }
        func superDecoder() -> any Decoder { Ready(count: 1) }
        func superDecoder(forKey key: Key) -> any Decoder { Ready(count: 1) }
    }

    private struct ReadyUnkeyed: UnkeyedDecodingContainer {
        let number: Int
        var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { number }
        var isAtEnd: Bool { currentIndex == number }

        init(number: Int) { self.number = number }

        mutating func decodeNil() -> Bool { false }
        mutating func decode(_ type: String.Type) -> String {
            currentIndex += 1
            return CodableFloor.text
        }
        mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
            currentIndex += 1
            return try T(from: Ready(count: 1))
        }
        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
            KeyedDecodingContainer(ReadyKeyed<Nested>())
        }
        mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { ReadyUnkeyed(number: 1) }
        mutating func superDecoder() -> any Decoder { Ready(count: 1) }
    }

    private struct ReadySingle: SingleValueDecodingContainer {
        var codingPath: [any CodingKey] { [] }
        func decodeNil() -> Bool { false }
        func decode(_ type: Bool.Type) -> Bool { true }
        func decode(_ type: String.Type) -> String { CodableFloor.text }
        func decode(_ type: Int.Type) -> Int { 1 }
        func decode(_ type: Double.Type) -> Double { 1 }
        func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: Ready(count: 1)) }
    }

    /// Longer than fits into a `String` itself, and shared by all.
    private static let text = String(repeating: "text ", count: 10)
}
