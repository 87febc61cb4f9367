/// Which pages a cache keeps: a built-in strategy, one of your own, or several together.
///
/// ```swift
/// config.inMemoryEvictionStrategy = .lru(maxPages: 200).and(.timeToLive(.days(15))).keepingAtLeast(items: 50)
/// ```
///
/// A combination asks its strategies in the order in which they were written: a page goes when one of them says so, is
/// admitted when all of them admit it, and lives as long as the shortest of their lifetimes. Limits that were written
/// alone, such as `.maxBytes(_:)`, join the first strategy that has an order, and use LRU when there is none. The
/// minimum counts for the whole combination, wherever it was written, and beats age and every limit.
///
/// It is a description: each cache makes its own copy of the strategies. The built-in ones take O(1) for each page that comes,
/// is read or goes; those with a lifetime O(log pages) for each that comes or goes.
public struct EvictionStrategy: Sendable {
    let orders: [any EvictionOrder]
    let minimum: PageUsage
    /// Those of ``orders`` that somebody named: where nobody did, LRU is implied.
    private let named: [any EvictionOrder]
    private let limits: EvictionLimits
    private let ownLifetime: Duration?

    /// Takes a strategy of your own, so that a cache can use it and it can be combined.
    ///
    /// - Parameter strategy: the strategy, which has not been used yet.
    public init(_ strategy: some PaginatorEvictionStrategy) {
        self.init(orders: [strategy as? any EvictionOrder ?? UserOrder(strategy)])
    }

    init(
        orders named: [any EvictionOrder] = [],
        limits: EvictionLimits = .none,
        lifetime: Duration? = nil,
        minimum: PageUsage = PageUsage()
    ) {
        var orders = named.isEmpty ? [QueueOrder(.lru)] : named
        // The order must know the limits before the first page comes: the adaptive one watches caches of just this size.
        let taker = orders.firstIndex { !($0 is UserOrder) } ?? 0
        orders[taker].limits = orders[taker].limits.intersection(limits)
        self.orders = orders
        self.named = named
        self.limits = limits
        ownLifetime = lifetime
        self.minimum = minimum
    }

    /// Returns both together. Combine strategies before a cache uses them.
    public func and(_ other: EvictionStrategy) -> EvictionStrategy {
        EvictionStrategy(
            orders: named + other.named, limits: limits.intersection(other.limits),
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
            minimum: minimum.union(PageUsage(pages: pages, items: items)))
    }

    package var lifetime: Duration? { ([ownLifetime] + orders.map(\.lifetime)).compactMap { $0 }.min() }
}

extension PageUsage {
    fileprivate func union(_ other: PageUsage) -> PageUsage {
        PageUsage(pages: max(pages, other.pages), items: max(items, other.items), bytes: max(bytes, other.bytes))
    }
}
