/// What an object costs a cache.
public struct PageCost: Hashable, Sendable {
    /// The weight in bytes.
    public let bytes: Int
    /// The number of items.
    public let items: Int

    /// Makes a cost; negative values count as zero.
    ///
    /// - Parameters:
    ///   - bytes: the weight in bytes, zero by default.
    ///   - items: the number of items, zero by default.
    public init(bytes: Int = 0, items: Int = 0) {
        self.bytes = max(0, bytes)
        self.items = max(0, items)
    }
}
