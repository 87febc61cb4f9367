/// A user's strategy as an order, which can skip pages.
struct UserOrder: EvictionOrder {
    var limits = EvictionLimits.none
    private var strategy: any PaginatorEvictionStrategy
    /// By handle.
    private var facts: ContiguousArray<PageFacts?> = []

    init(_ strategy: any PaginatorEvictionStrategy) {
        self.strategy = strategy
    }

    var lifetime: Duration? { strategy.lifetime }

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        guard page.index >= 0 else { return }
        while self.facts.count <= page.index { self.facts.append(nil) }
        self.facts[page.index] = facts
        strategy.inserted(page, facts)
    }

    mutating func used(_ page: PageHandle) { strategy.used(page) }

    mutating func removed(_ page: PageHandle) { strategy.removed(page) }

    func admits(_ facts: PageFacts) -> Bool { limits.admit(facts) && strategy.admits(facts) }

    mutating func victim(in usage: PageUsage, where isEvictable: (PageHandle) -> Bool) -> PageHandle? {
        if let page = ask(in: usage, where: isEvictable) { return page }
        return limits.areExceeded(by: usage) && usage != .beyondLimits ? first(where: isEvictable) : nil
    }

    mutating func first(where isEvictable: (PageHandle) -> Bool) -> PageHandle? {
        ask(in: .beyondLimits, where: isEvictable)
    }

    // The strategy cannot skip a page, so pages that must stay are removed from it while it is asked again.
    private mutating func ask(in usage: PageUsage, where isEvictable: (PageHandle) -> Bool) -> PageHandle? {
        var held: [PageHandle] = []
        defer { for page in held { facts[page.index].map { strategy.inserted(page, $0) } } }
        while let page = strategy.victim(in: usage) {
            if isEvictable(page) { return page }
            // A strategy that repeats a page, or names an unknown one, would be asked forever.
            guard facts.indices.contains(page.index), !held.contains(page) else { return nil }
            held.append(page)
            strategy.removed(page)
        }
        return nil
    }
}
