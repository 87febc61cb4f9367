/// Any eviction strategy, with the names of the built-in ones and the ways to combine them.
public struct EvictionStrategy: PaginatorEvictionStrategy {
    public mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {}
    public mutating func used(_ page: PageHandle) {}
    public mutating func removed(_ page: PageHandle) {}
    public mutating func victim(in usage: PageUsage) -> PageHandle? { nil }
}
extension PaginatorEvictionStrategy where Self == EvictionStrategy {
    /// placeholder
    public static func adaptive(maxPages: Int? = nil, maxItems: Int? = nil, maxBytes: Int? = nil) -> EvictionStrategy { EvictionStrategy() }
}
