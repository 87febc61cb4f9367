/// Decides which pages a cache keeps: a built-in strategy, one of your own, or a combination.
///
/// ```swift
/// config.inMemoryEvictionStrategy = .lru(maxPages: 200).and(.timeToLive(.days(15))).keepingAtLeast(items: 50)
/// ```
///
/// In a combination, a page is evicted if any strategy evicts it; they are asked in the order of the code. A page is
/// admitted if all strategies admit it, and lives as long as the shortest lifetime. Limits written alone, such as
/// `.maxBytes(_:)`, apply to the first strategy with an order, or to LRU if there is none. A minimum applies to the
/// whole combination and overrides lifetimes and limits.
///
/// A value of this type is a description: each cache makes its own copy of the strategies. Built-in strategies take
/// O(1) for each page inserted, read or removed, and with a lifetime O(log pages) for each insertion and removal.
public struct EvictionStrategy: Sendable {
    let orders: [any EvictionOrder]
    let minimum: PageUsage
    /// The ``orders`` that were given explicitly; without any, LRU is implied.
    private let named: [any EvictionOrder]
    private let limits: EvictionLimits
    private let ownLifetime: Duration?

    /// Wraps a strategy of your own for use in a cache or a combination.
    ///
    /// - Parameter strategy: the strategy, not used before.
    public init(_ strategy: some PaginatorEvictionStrategy) {
        self.init(orders: [strategy as? any EvictionOrder ?? UserOrder(strategy)])
    }

    init(
        orders named: [any EvictionOrder] = [], limits: EvictionLimits = .none, lifetime: Duration? = nil,
        minimum: PageUsage = PageUsage()
    ) {
        var orders = named.isEmpty ? [QueueOrder(.lru)] : named
        // An order must know its limits before the first page: the adaptive one simulates caches of that size.
        let taker = orders.firstIndex { !($0 is UserOrder) } ?? 0
        orders[taker].limits = orders[taker].limits.intersection(limits)
        self.orders = orders
        self.named = named
        self.limits = limits
        ownLifetime = lifetime
        self.minimum = minimum
    }

    /// Returns a combination of both. Combine strategies before a cache uses them.
    public func and(_ other: EvictionStrategy) -> EvictionStrategy {
        EvictionStrategy(
            orders: named + other.named, limits: limits.intersection(other.limits),
            lifetime: [ownLifetime, other.ownLifetime].compactMap { $0 }.min(),
            minimum: minimum.union(other.minimum))
    }

    /// Returns this strategy with a minimum that takes precedence over lifetimes and limits.
    ///
    /// A page is removed only if at least this much remains, pinned pages included. With several minimums, the greatest
    /// applies.
    ///
    /// - Parameters:
    ///   - pages: the smallest number of pages; zero by default. Negative values count as zero.
    ///   - items: the smallest number of items; zero by default. Negative values count as zero.
    public func keepingAtLeast(pages: Int = 0, items: Int = 0) -> EvictionStrategy {
        EvictionStrategy(
            orders: named, limits: limits, lifetime: ownLifetime,
            minimum: minimum.union(PageUsage(pages: pages, items: items)))
    }

    /// Whether a new version of a page keeps its place in an order.
    package var keepsPlaces: Bool { orders.contains { $0.keepsPlaces } }

    package var lifetime: Duration? { ([ownLifetime] + orders.map(\.lifetime)).compactMap { $0 }.min() }
}

extension PageUsage {
    fileprivate func union(_ other: PageUsage) -> PageUsage {
        PageUsage(pages: max(pages, other.pages), items: max(items, other.items), bytes: max(bytes, other.bytes))
    }
}
