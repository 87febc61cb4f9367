/// The most that a cache may hold; `Int.max` stands for no limit.
struct EvictionLimits: Hashable, Sendable {
    private(set) var pages: Int
    private(set) var items: Int
    private(set) var bytes: Int

    /// No limit at all.
    static let none = EvictionLimits()

    /// Makes limits; `nil` is none, negative ones count as zero.
    init(pages: Int? = nil, items: Int? = nil, bytes: Int? = nil) {
        self.pages = max(0, pages ?? .max)
        self.items = max(0, items ?? .max)
        self.bytes = max(0, bytes ?? .max)
    }

    /// Whether something must go: a limit is passed, or the usage is ``PageUsage/demanding``.
    func areExceeded(by usage: PageUsage) -> Bool {
        usage.pages > pages || usage.items > items || usage.bytes > bytes || usage.pages == .max
    }

    /// Whether a page fits when it is alone.
    func admit(_ facts: PageFacts) -> Bool {
        pages > 0 && facts.items <= items && facts.bytes <= bytes
    }

    /// Returns the stricter of both limits, one by one.
    func intersection(_ other: EvictionLimits) -> EvictionLimits {
        EvictionLimits(pages: min(pages, other.pages), items: min(items, other.items), bytes: min(bytes, other.bytes))
    }
}
