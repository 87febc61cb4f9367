import PaginatorCore

/// A value that is created from bytes as a server sent them.
public protocol RawDecodable: Sendable {
    /// Creates the value.
    ///
    /// - Throws: an error if the bytes hold something else.
    init(rawBytes: [UInt8]) throws
}

/// An item, or a whole response, as the bytes that a server sent, decoded on first use.
///
/// A data source that answers with `RawItem` does no decoding; the store writes and reads the bytes unchanged.
public final class RawItem<Value: RawDecodable>: Sendable {
    /// The bytes, as the server sent them.
    public let bytes: [UInt8]
    private let decoded = Guarded<Result<Value, any Error>?>(nil)

    /// Creates an item from bytes, without reading them.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The decoded value. The first use decodes it and keeps the result, even an error. Concurrent first uses may each
    /// decode; all get the same result.
    ///
    /// - Throws: the error of the value's initializer.
    public var value: Value {
        get throws {
            if let known = decoded.withLock({ $0 }) { return try known.get() }
            // Without the lock, because the initializer is user code.
            let result = Result { try Value(rawBytes: bytes) }
            return try decoded.withLock { kept in
                if let kept { return kept }
                kept = result
                return result
            }.get()
        }
    }
}

/// The codec of ``RawItem``: the unchanged bytes of each item, after their length.
public struct RawPageCodec<Value: RawDecodable>: PageCodec {
    /// `raw`, with the version given.
    public let tag: PageCodecTag

    /// Creates the codec.
    ///
    /// - Parameter version: the layout's version. Raise it when older bytes must no longer be read; 1 by default.
    public init(version: Int = 1) {
        tag = PageCodecTag(name: "raw", version: version)
    }

    /// Returns the number of items, then each item's bytes after their number. It never throws. Complexity: O(bytes).
    public func encode(_ items: [RawItem<Value>]) throws -> [UInt8] {
        // Each number takes at most ten bytes, so nothing is reallocated.
        var writer = PageByteWriter(capacity: items.reduce(10) { $0 + $1.bytes.count + 10 })
        writer.write(all: items) { $0.write($1.bytes) }
        return writer.bytes
    }

    /// Returns the items, not decoded yet.
    ///
    /// - Throws: a ``PageCodingError`` if the bytes are not in this form. Complexity: O(bytes).
    public func decode(_ bytes: [UInt8]) throws -> [RawItem<Value>] {
        var reader = PageByteReader(bytes)
        let items = try reader.readAll { RawItem<Value>(try $0.readBytes()) }
        guard reader.isAtEnd else { throw PageCodingError.trailing }
        return items
    }
}
