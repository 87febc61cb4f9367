#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A codec that writes JSON, readable for people and other tools; several times slower than ``CompactPageCodec``.
public struct JSONPageCodec<Item: Codable & Sendable>: PageCodec {
    /// `json`, with the version given.
    public let tag: PageCodecTag

    /// Creates the codec.
    ///
    /// - Parameter version: the layout's version. Raise it when older bytes must no longer be read; 1 by default.
    public init(version: Int = 1) {
        tag = PageCodecTag(name: "json", version: version)
    }

    /// Returns a JSON array of the items, with sorted keys and dates as seconds since 2001.
    ///
    /// - Throws: an `EncodingError`, or the error of an item's `encode(to:)`. Complexity: O(bytes).
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
