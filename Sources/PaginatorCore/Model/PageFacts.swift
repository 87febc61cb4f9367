/// The properties of a page that an eviction strategy knows. Costs are never negative.
public struct PageFacts: Hashable, Sendable {
    /// The page's weight in bytes.
    public let bytes: Int
    /// The number of items on the page.
    public let items: Int
    /// A hash of the page's identity, the same each time that the page is inserted.
    public let keyHash: UInt64
    /// The number of earlier uses that a store recorded; zero for a new page.
    public internal(set) var restoredUses: Int

    /// Creates facts. Negative values count as zero.
    ///
    /// - Parameters:
    ///   - bytes: the page's weight in bytes.
    ///   - items: the number of items on the page.
    ///   - keyHash: a hash of the page's identity.
    ///   - restoredUses: the number of earlier uses.
    public init(bytes: Int, items: Int, keyHash: UInt64, restoredUses: Int = 0) {
        self.bytes = max(0, bytes)
        self.items = max(0, items)
        self.keyHash = keyHash
        self.restoredUses = max(0, restoredUses)
    }
}
