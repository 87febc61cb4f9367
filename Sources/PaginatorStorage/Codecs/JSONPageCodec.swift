#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps pages as JSON, which people and other tools can read; several times slower than ``CompactPageCodec``.
public struct JSONPageCodec<Item: Codable & Sendable>: PageCodec {
    /// `json`, with the version given.
    public let tag: PageCodecTag

    /// Makes the codec.
    ///
    /// - Parameter version: raise it when older bytes must no longer be read; 1 by default.
    public init(version: Int = 1) {
        tag = PageCodecTag(name: "json", version: version)
    }

    /// Returns a JSON array of the items, with sorted keys and dates as seconds since 2001.
    ///
    /// - Throws: an `EncodingError`, or what an item's `encode(to:)` throws. Complexity: O(bytes).
    public func encode(_ items: [Item]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        return Array(try encoder.encode(items))
    }

    /// Returns the items.
    ///
    /// - Throws: a `DecodingError`.
    public func decode(_ bytes: [UInt8]) throws -> [Item] {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        return try decoder.decode([Item].self, from: Data(bytes))
    }
}
