import PaginatorCore

/// A value that can be made from bytes as a server sent them.
public protocol RawDecodable: Sendable {
    /// Makes the value.
    ///
    /// - Throws: an error when the bytes hold something else.
    init(rawBytes: [UInt8]) throws
}

/// An item, or a whole response, kept as the bytes that a server sent, and decoded when it is first used.
///
/// A data source that answers with `RawItem` decodes nothing itself; the store writes and reads the bytes as they are.
public final class RawItem<Value: RawDecodable>: Sendable {
    /// The bytes, as the server sent them.
    public let bytes: [UInt8]
    private let decoded = Guarded<Result<Value, any Error>?>(nil)

    /// Keeps `bytes`, without looking at them.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The decoded value. The first use decodes and the result is kept, a failure too; threads that come at the same
    /// time may each decode, and all get the same result.
    ///
    /// - Throws: what the value's initializer threw.
    public var value: Value {
        get throws {
            if let known = decoded.withLock({ $0 }) { return try known.get() }
            // Without the lock, since the initializer is the user's code.
            let result = Result { try Value(rawBytes: bytes) }
            return try decoded.withLock { kept in
                if let kept { return kept }
                kept = result
                return result
            }.get()
        }
    }
}

/// The codec of ``RawItem``: the bytes as they came, each after its length. Nothing is parsed on the way.
public struct RawPageCodec<Value: RawDecodable>: PageCodec {
    /// `raw`, with the version given.
    public let tag: PageCodecTag

    /// Makes the codec.
    ///
    /// - Parameter version: raise it when older bytes must no longer be read; 1 by default.
    public init(version: Int = 1) {
        tag = PageCodecTag(name: "raw", version: version)
    }

    /// Returns the number of items, then each item's bytes after their number. It throws nothing. Complexity: O(bytes).
    public func encode(_ items: [RawItem<Value>]) throws -> [UInt8] {
        // Each number takes ten bytes at most, so that nothing is moved while it grows.
        var writer = PageByteWriter(capacity: items.reduce(10) { $0 + $1.bytes.count + 10 })
        writer.write(all: items) { $0.write($1.bytes) }
        return writer.bytes
    }

    /// Returns the items, not decoded yet.
    ///
    /// - Throws: a ``PageCodingError`` when the bytes are not in this form. Complexity: O(bytes).
    public func decode(_ bytes: [UInt8]) throws -> [RawItem<Value>] {
        var reader = PageByteReader(bytes)
        let items = try reader.readAll { RawItem<Value>(try $0.readBytes()) }
        guard reader.isAtEnd else { throw PageCodingError.trailing }
        return items
    }
}
