/// An item that writes and reads its own bytes, which is the fastest codec for frequently used types.
///
/// ```swift
/// struct Song {
///     var id: Int
///     var title: String
///     var likes: Int?
/// }
///
/// extension Song: BinaryPageItem {
///     func write(to writer: inout PageByteWriter) {
///         writer.write(id)
///         writer.write(title)
///         writer.write(optional: likes) { $0.write($1) }
///     }
///
///     init(from reader: inout PageByteReader) throws {
///         let id = try reader.readInt()
///         let title = try reader.readString()
///         let likes = try reader.isAtEnd ? nil : reader.readOptional { try $0.readInt() }
///         self.init(id: id, title: title, likes: likes)
///     }
/// }
/// ```
///
/// Pass constants to the memberwise initializer at the end, as here: assigning property by property copies the item at
/// the end of the initializer, and retains each text.
///
/// Each item is preceded by its length. So a field added at the end stays compatible if the initializer checks
/// ``PageByteReader/isAtEnd`` before reading it, and extra bytes of a later version are skipped.
public protocol BinaryPageItem: Sendable {
    /// The layout's version. Raise it when older bytes must no longer be read; 1 by default.
    static var binaryVersion: Int { get }

    /// Writes the item.
    func write(to writer: inout PageByteWriter)

    /// Reads an item.
    ///
    /// - Throws: an error if the bytes hold something else; `reader` throws one for missing values.
    init(from reader: inout PageByteReader) throws
}

extension BinaryPageItem {
    /// The first version, 1.
    public static var binaryVersion: Int { 1 }
}

/// The codec of items that write their own bytes.
public struct BinaryPageCodec<Item: BinaryPageItem>: PageCodec {
    /// Creates the codec.
    public init() {}

    /// `binary`, with the item type's version.
    public var tag: PageCodecTag { PageCodecTag(name: "binary", version: Item.binaryVersion) }

    /// Returns the number of items, then each item after its length. It never throws. Complexity: O(bytes).
    @inlinable
    public func encode(_ items: [Item]) throws -> [UInt8] {
        // An estimate, so that a page of small items grows at most once.
        var page = PageByteWriter(capacity: 64 * min(items.count, 4_096))
        page.write(UInt64(items.count))
        // Items of a type have similar lengths, so each gets as many bytes for its length as the one before.
        var width = 1
        for item in items {
            let start = page.written.count
            page.reserveLength(width)
            item.write(to: &page)
            width = page.close(frameAt: start, width: width)
        }
        return page.written
    }

    /// Returns the items.
    ///
    /// - Throws: a ``PageCodingError``, or the error of an item's initializer. Complexity: O(bytes).
    @inlinable
    public func decode(_ bytes: [UInt8]) throws -> [Item] {
        var reader = PageByteReader(bytes)
        let items = try reader.readAll { page in
            let frame = try page.beginFrame()
            let item = try Item(from: &page)
            page.endFrame(frame, in: bytes)
            return item
        }
        guard reader.isAtEnd else { throw PageCodingError.hasBytesLeftOver() }
        return items
    }
}

extension PageByteWriter {
    /// Reserves space for a length of `width` bytes.
    @usableFromInline
    mutating func reserveLength(_ width: Int) {
        for _ in 0..<width { append(0) }
    }

    /// Writes the length of the following bytes into the space at `start`. A short one gets leading zeros; for a long
    /// one the following bytes are moved.
    ///
    /// - Returns: the number of bytes that the length took.
    @usableFromInline
    mutating func close(frameAt start: Int, width: Int) -> Int {
        let length = UInt64(written.count - start - width)
        // Seven bits a byte, rounded up: (64 - zeros + 6) / 7. Leading zeros are valid, so a length may take more space
        // than it needs.
        let needed = max(1, (70 - length.leadingZeroBitCount) / 7)
        if needed > width {
            written.insert(contentsOf: repeatElement(0, count: needed - width), at: start)
        }
        let space = max(needed, width)
        for place in 0..<space {
            let bits = UInt8(truncatingIfNeeded: length >> UInt64(7 * place)) & 0x7f
            written[start + place] = place == space - 1 ? bits : bits | 0x80
        }
        return needed
    }
}
