/// The default codec: a compact binary form of any `Codable` item.
///
/// Each value has its type and each object its field names, so bytes stay readable after adding an optional field, or
/// one with a hand-written default, and after removing or reordering fields. Each field name is written once per page.
///
/// Its speed is limited by `Codable` itself: an allocated container for each object, and a witness call for each field.
/// For frequently used types see ``BinaryPageCodec``.
///
/// Values may be nested 100 deep; deeper ones are refused when encoding and decoding. So is a value that writes two
/// fields of one name, as a class and its superclass may. `codingPath` and `userInfo` are empty.
public struct CompactPageCodec<Item: Codable & Sendable>: PageCodec {
    /// `compact`, with the version given.
    public let tag: PageCodecTag

    /// Creates the codec.
    ///
    /// - Parameter version: the layout's version. Raise it when older bytes must no longer be read; 1 by default.
    public init(version: Int = 1) {
        tag = PageCodecTag(name: "compact", version: version)
    }

    /// Returns the items as bytes. Complexity: O(bytes).
    ///
    /// - Throws: the error of an item's `encode(to:)`, or a ``PageCodingError`` if it is nested too deeply or
    ///   writes a field twice.
    public func encode(_ items: [Item]) throws -> [UInt8] {
        try CompactOutput.encode(items)
    }

    /// Returns the items. Complexity: O(bytes) if fields are read in the order in which they were written.
    ///
    /// - Throws: the error of an item's `init(from:)`, or a ``PageCodingError`` if the bytes are not in this form.
    public func decode(_ bytes: [UInt8]) throws -> [Item] {
        try CompactInput.decode([Item].self, from: bytes)
    }
}

/// A key of an unnamed nested value that `Codable` asks for.
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
