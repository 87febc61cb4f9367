import PaginatorCore

/// Encodes the items of a page as bytes and decodes them, for stores.
///
/// Built in: ``CompactPageCodec`` for any `Codable` item, the stores' default; ``BinaryPageCodec`` for types with a
/// hand-written form; ``JSONPageCodec`` for readability; ``RawPageCodec`` for bytes as a server sent them. Both methods
/// are called off the callers' threads and concurrently, so a codec must not have mutable state.
public protocol PageCodec<Item>: Sendable {
    /// The item type.
    associatedtype Item: Sendable

    /// The format of the bytes, stored with each page. A page with another tag counts as a miss.
    var tag: PageCodecTag { get }

    /// Returns the items as bytes.
    ///
    /// - Throws: an error if an item cannot be encoded. The page is then not stored, and the error is reported.
    func encode(_ items: [Item]) throws -> [UInt8]

    /// Returns the items in `bytes`.
    ///
    /// The bytes are those that ``encode(_:)`` returned under the same tag, protected by a checksum. A decoder must
    /// still not trap on other bytes.
    ///
    /// - Throws: an error if the bytes hold something else. The page is then removed, and the error is reported.
    func decode(_ bytes: [UInt8]) throws -> [Item]
}

/// The name and version of an encoding.
public struct PageCodecTag: Hashable, Sendable, CustomStringConvertible {
    private let exactName: ExactText

    /// The codec's name.
    public var name: String { exactName.text }
    /// The version of the item type's layout; its owner raises it when older bytes must no longer be read. With `.lfu`
    /// or `.lifo` on disk, clear the store's pages then: those of the old version would outlast new ones.
    public let version: Int

    /// Creates a tag.
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
