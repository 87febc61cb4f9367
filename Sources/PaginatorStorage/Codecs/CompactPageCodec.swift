/// The default codec: a compact binary form of any `Codable` item.
///
/// Each value carries its type and each object names its fields, so bytes stay readable after an optional field, or one
/// with a hand-written default, was added to the item type, after a field was removed, and after fields changed places.
/// Every field name is written once a page.
///
/// What bounds its speed is `Codable` itself: containers that are allocated for each object, and calls through witness
/// tables for each field. For hot types see ``BinaryPageCodec``.
///
/// Values may be nested 100 deep; deeper ones are refused, both ways. `codingPath` is empty, and
/// `userInfo` too.
public struct CompactPageCodec<Item: Codable & Sendable>: PageCodec {
    /// `compact`, with the version given.
    public let tag: PageCodecTag

    /// Makes the codec.
    ///
    /// - Parameter version: raise it when older bytes must no longer be read; 1 by default.
    public init(version: Int = 1) {
        tag = PageCodecTag(name: "compact", version: version)
    }

    /// Returns the items as bytes. Complexity: O(bytes).
    ///
    /// - Throws: what an item's `encode(to:)` throws, or a ``PageCodingError`` when it is nested too deep.
    public func encode(_ items: [Item]) throws -> [UInt8] {
        try CompactOutput.encode(items)
    }

    /// Returns the items. Complexity: O(bytes), when fields are read in the order in which they were written.
    ///
    /// - Throws: what an item's `init(from:)` throws, or a ``PageCodingError`` when the bytes are not in this form.
    public func decode(_ bytes: [UInt8]) throws -> [Item] {
        try CompactInput.decode([Item].self, from: bytes)
    }
}

/// A key of a nested value that `Codable` asks for without naming it.
struct CompactKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    static let parent = CompactKey(stringValue: "super")
}
