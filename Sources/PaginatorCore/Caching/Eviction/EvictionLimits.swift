/// The most that a cache may hold; `Int.max` stands for no limit.
package struct EvictionLimits: Hashable, Sendable {
    package var pages = Int.max
    package var items = Int.max
    package var bytes = Int.max

    /// No limit at all.
    package static let none = EvictionLimits()

    /// Makes limits; `nil` is none, negative ones count as zero.
    package init(pages: Int? = nil, items: Int? = nil, bytes: Int? = nil) {
        self.pages = max(0, pages ?? .max)
        self.items = max(0, items ?? .max)
        self.bytes = max(0, bytes ?? .max)
    }

    /// Whether something must go: a limit is passed, or the usage is ``PageUsage/demanding``.
    @inline(__always)
    package func areExceeded(by usage: PageUsage) -> Bool {
        usage.pages > pages || usage.items > items || usage.bytes > bytes || usage.pages == .max
    }

    /// Whether a page fits when it is alone.
    @inline(__always)
    package func admit(_ facts: PageFacts) -> Bool {
        pages > 0 && facts.items <= items && facts.bytes <= bytes
    }

    /// Returns the stricter of both limits, one by one.
    package func intersection(_ other: EvictionLimits) -> EvictionLimits {
        var result = self
        result.pages = min(pages, other.pages)
        result.items = min(items, other.items)
        result.bytes = min(bytes, other.bytes)
        return result
    }
}
