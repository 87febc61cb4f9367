/// Any eviction strategy, with the names of the built-in ones and the ways to combine them.
///
/// ```swift
/// config.inMemoryEvictionStrategy = .lru(maxPages: 200).and(.timeToLive(.days(15))).keepingAtLeast(items: 50)
/// ```
///
/// A combination asks its strategies in the order in which they were written: a page goes when one of them says so, is
/// admitted when all of them admit it, and lives as long as the shortest of their lifetimes. Limits that were written
/// alone, such as `.maxBytes(_:)`, join the first strategy that has an order, and use LRU when there is none. The
/// minimum counts for the whole combination, wherever it was written, and beats age and every limit.
public struct EvictionStrategy: PaginatorEvictionStrategy {
    private var orders: [any EvictionOrder]
    /// Whether ``orders`` is LRU alone because nobody named an order.
    private let isOrderImplied: Bool
    /// Limits that were written alone.
    private let limits: EvictionLimits
    /// The shortest lifetime that was written alone.
    private let ownLifetime: Duration?
    private var minimum: EvictionMinimum

    /// Wraps a strategy, so that it can be combined.
    ///
    /// - Parameter strategy: the strategy, which has not been used yet.
    public init(_ strategy: any PaginatorEvictionStrategy) {
        switch strategy {
        case let strategy as EvictionStrategy: self = strategy
        case let order as any EvictionOrder: self.init(orders: [order])
        default: self.init(orders: [UserOrder(strategy)])
        }
    }

    init(
        orders: [any EvictionOrder] = [],
        limits: EvictionLimits = .none,
        lifetime: Duration? = nil,
        minimum: EvictionMinimum = EvictionMinimum()
    ) {
        self.orders = orders.isEmpty ? [QueueOrder(.lru)] : orders
        isOrderImplied = orders.isEmpty
        self.limits = limits
        ownLifetime = lifetime
        self.minimum = minimum
        // The order must know them before the first page comes: the adaptive one watches caches of just this size.
        let taker = self.orders.firstIndex { !($0 is UserOrder) } ?? 0
        self.orders[taker].limits = self.orders[taker].limits.intersection(limits)
    }

    /// Returns both together. Combine strategies before a cache uses them.
    public func and(_ other: some PaginatorEvictionStrategy) -> EvictionStrategy {
        let other = EvictionStrategy(other)
        return EvictionStrategy(
            orders: named + other.named,
            limits: limits.intersection(other.limits),
            lifetime: [ownLifetime, other.ownLifetime].compactMap { $0 }.min(),
            minimum: minimum.union(other.minimum))
    }

    /// Returns this strategy with a minimum that neither age nor a limit undercuts.
    ///
    /// A page goes only if at least this much stays behind, pinned pages included. Of several minimums the greatest
    /// counts.
    ///
    /// - Parameters:
    ///   - pages: the fewest pages, zero by default; negative values count as zero.
    ///   - items: the fewest items, zero by default; negative values count as zero.
    public func keepingAtLeast(pages: Int = 0, items: Int = 0) -> EvictionStrategy {
        EvictionStrategy(
            orders: named, limits: limits, lifetime: ownLifetime,
            minimum: minimum.union(EvictionMinimum(pages: pages, items: items)))
    }

    private var named: [any EvictionOrder] { isOrderImplied ? [] : orders }

    /// The shortest lifetime of those combined; `nil` when none has one.
    public var lifetime: Duration? { ([ownLifetime] + orders.map(\.lifetime)).compactMap { $0 }.min() }

    /// Returns whether each of the combined strategies, and every limit, admits the page.
    public func admits(_ facts: PageFacts) -> Bool { orders.allSatisfy { $0.admits(facts) } }

    /// Tells each of the combined strategies.
    public mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        for index in orders.indices { orders[index].inserted(page, facts) }
        minimum.remember(facts, of: page)
    }

    /// Tells each of the combined strategies.
    public mutating func used(_ page: PageHandle) {
        for index in orders.indices { orders[index].used(page) }
    }

    /// Tells each of the combined strategies.
    public mutating func removed(_ page: PageHandle) {
        for index in orders.indices { orders[index].removed(page) }
    }

    /// Returns the first page that one of the combined strategies wants to go and that the minimum lets go.
    public mutating func victim(in usage: PageUsage) -> PageHandle? { choice(in: usage, holding: usage) }

    /// Returns the page that would go first although no limit is passed; the minimum still counts.
    ///
    /// - Parameter usage: what the cache holds.
    mutating func firstToGo(in usage: PageUsage) -> PageHandle? { choice(in: .demanding, holding: usage) }

    /// Whether the minimum lets the page go for its age.
    func mayExpire(_ page: PageHandle, in usage: PageUsage) -> Bool { minimum.spares(page, of: usage) }

    /// Each page that the minimum holds has more items than could be spared, so there are no more of them than the
    /// minimum has items, and passing over them does not depend on the size of the cache.
    private mutating func choice(in asked: PageUsage, holding usage: PageUsage) -> PageHandle? {
        guard !minimum.holdsEverything(of: usage) else { return nil }
        // A copy, because the orders are changed while they ask it.
        let minimum = self.minimum
        for index in orders.indices {
            let page = orders[index].victim(in: asked) { minimum.spares($0, of: usage) }
            if let page { return page }
        }
        return nil
    }
}

extension PaginatorEvictionStrategy {
    /// Returns this strategy together with another one; see ``EvictionStrategy``.
    public func and(_ other: some PaginatorEvictionStrategy) -> EvictionStrategy {
        EvictionStrategy(self).and(other)
    }

    /// Returns this strategy with a minimum that neither age nor a limit undercuts; see ``EvictionStrategy``.
    ///
    /// - Parameters:
    ///   - pages: the fewest pages, zero by default; negative values count as zero.
    ///   - items: the fewest items, zero by default; negative values count as zero.
    public func keepingAtLeast(pages: Int = 0, items: Int = 0) -> EvictionStrategy {
        EvictionStrategy(self).keepingAtLeast(pages: pages, items: items)
    }
}

/// What a cache keeps in any case, and the pages' items by which that is judged.
struct EvictionMinimum: Sendable {
    private let pages: Int
    private let items: Int
    /// By handle; kept only where there is a minimum.
    private var itemsOfPages: ContiguousArray<Int> = []

    /// Makes a minimum; negative values count as zero.
    init(pages: Int = 0, items: Int = 0) {
        self.pages = max(0, pages)
        self.items = max(0, items)
    }

    private var isSet: Bool { pages > 0 || items > 0 }

    /// Returns the greater of both, one by one, knowing no page yet.
    func union(_ other: EvictionMinimum) -> EvictionMinimum {
        EvictionMinimum(pages: max(pages, other.pages), items: max(items, other.items))
    }

    /// Whether nothing but empty pages can be spared, whatever page it is.
    func holdsEverything(of usage: PageUsage) -> Bool {
        isSet && (usage.pages <= pages || usage.items < items)
    }

    /// Whether enough stays behind without the page.
    func spares(_ page: PageHandle, of usage: PageUsage) -> Bool {
        guard isSet, itemsOfPages.indices.contains(page.index) else { return true }
        return usage.pages > pages && usage.items - itemsOfPages[page.index] >= items
    }

    /// Learns the costs of a page that has come.
    mutating func remember(_ facts: PageFacts, of page: PageHandle) {
        guard isSet, page.index >= 0 else { return }
        while itemsOfPages.count <= page.index { itemsOfPages.append(0) }
        itemsOfPages[page.index] = facts.items
    }
}
