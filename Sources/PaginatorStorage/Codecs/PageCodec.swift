import PaginatorCore

/// Turns the items of a page into bytes and back, for stores.
///
/// Ready-made: ``CompactPageCodec`` for any `Codable` item (the stores' default), ``BinaryPageCodec`` for types whose
/// bytes are written by hand, ``JSONPageCodec`` for readability, and ``RawPageCodec`` for bytes kept as a server sent
/// them. Both calls are made off the callers' threads, several at once, so a codec must not keep mutable state.
public protocol PageCodec<Item>: Sendable {
    /// The item type.
    associatedtype Item: Sendable

    /// What the bytes are written in. It is stored with each page; a page written under another tag is a counted miss.
    var tag: PageCodecTag { get }

    /// Returns the items as bytes.
    ///
    /// - Throws: an error when an item cannot be written; the page is then not stored, and the error is reported.
    func encode(_ items: [Item]) throws -> [UInt8]

    /// Returns the items that `bytes` hold.
    ///
    /// The bytes are what ``encode(_:)`` returned under the same tag, guarded by a checksum; a decoder still must not
    /// trap on others.
    ///
    /// - Throws: an error when the bytes hold something else; the page is then removed, and the error is reported.
    func decode(_ bytes: [UInt8]) throws -> [Item]
}

/// Names a way to write items, and its version.
public struct PageCodecTag: Hashable, Sendable, CustomStringConvertible {
    private let exactName: ExactText

    /// The codec's name.
    public var name: String { exactName.text }
    /// The version of the item type's layout, raised by its owner when older bytes must no longer be read.
    public let version: Int

    /// Makes a tag.
    ///
    /// - Parameters:
    ///   - name: the codec's name.
    ///   - version: the layout's version.
    public init(name: String, version: Int) {
        exactName = ExactText(name)
        self.version = version
    }

    /// The name and the version.
    public var description: String { "\(name).\(version)" }
}
