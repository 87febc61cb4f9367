/// An item that writes and reads its own bytes: the fastest way to disk, for hot types.
///
/// ```swift
/// struct Post: BinaryPageItem {
///     var id: Int
///     var title: String
///     var likes: Int?
///
///     func write(to writer: inout PageByteWriter) {
///         writer.write(id)
///         writer.write(title)
///         writer.write(optional: likes) { $0.write($1) }
///     }
///
///     init(from reader: inout PageByteReader) throws {
///         id = try reader.readInt()
///         title = try reader.readString()
///         likes = try reader.isAtEnd ? nil : reader.readOptional { try $0.readInt() }
///     }
/// }
/// ```
///
/// Each item is framed by its length. So a field added at the end stays readable, when the initializer asks
/// ``PageByteReader/isAtEnd`` before it reads the field; and bytes left over, from a later version, are skipped.
public protocol BinaryPageItem: Sendable {
    /// The layout's version: raise it when older bytes must no longer be read. The default is 1.
    static var binaryVersion: Int { get }

    /// Writes the item.
    func write(to writer: inout PageByteWriter)

    /// Reads an item.
    ///
    /// - Throws: an error when the bytes hold something else; `reader` throws it where values are missing.
    init(from reader: inout PageByteReader) throws
}

extension BinaryPageItem {
    /// The first version, 1.
    public static var binaryVersion: Int { 1 }
}

/// The codec of items that write their own bytes.
public struct BinaryPageCodec<Item: BinaryPageItem>: PageCodec {
    /// Makes the codec.
    public init() {}

    /// `binary`, with the item type's version.
    public var tag: PageCodecTag { PageCodecTag(name: "binary", version: Item.binaryVersion) }

    /// Returns the number of items, then each item after its length. Complexity: O(bytes).
    public func encode(_ items: [Item]) throws -> [UInt8] {
        var page = PageByteWriter(capacity: 64 * min(items.count, 4_096))
        page.write(UInt64(items.count))
        for item in items {
            let start = page.bytes.count
            page.append(0)
            item.write(to: &page)
            page.close(frameAt: start)
        }
        return page.bytes
    }

    /// Returns the items.
    ///
    /// - Throws: a ``PageCodingError``, or what an item's initializer throws. Complexity: O(bytes).
    public func decode(_ bytes: [UInt8]) throws -> [Item] {
        var reader = PageByteReader(bytes)
        let items = try reader.readAll { page in
            var frame = try page.readFrame()
            return try Item(from: &frame)
        }
        guard reader.isAtEnd else { throw PageCodingError.trailing }
        return items
    }
}

extension PageByteWriter {
    /// Puts the length of what follows the byte at `start` in that byte's place. Short frames, the usual ones, fit it.
    fileprivate mutating func close(frameAt start: Int) {
        var length = UInt64(bytes.count - start - 1)
        guard length >= 0x80 else {
            bytes[start] = UInt8(length)
            return
        }
        var prefix: [UInt8] = []
        while length >= 0x80 {
            prefix.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        prefix.append(UInt8(truncatingIfNeeded: length))
        bytes.replaceSubrange(start...start, with: prefix)
    }
}
