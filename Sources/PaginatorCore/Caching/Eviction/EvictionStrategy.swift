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
    /// What was combined; ``leading`` and ``others`` are made from it.
    private let parts: [any PaginatorEvictionStrategy]
    private let bareLimits: EvictionLimits
    private let bareLifetime: Duration?

    /// The strategy asked first; the only one, mostly.
    private var leading: any PaginatorEvictionStrategy
    private var others: [any PaginatorEvictionStrategy]
    /// Limits that no part could take over.
    private let limits: EvictionLimits
    private var minimum: EvictionMinimum

    /// Wraps a strategy, so that it can be combined.
    ///
    /// - Parameter strategy: the strategy, which has not been used yet.
    public init(_ strategy: any PaginatorEvictionStrategy) {
        if let strategy = strategy as? EvictionStrategy {
            self = strategy
        } else {
            self.init(parts: [strategy])
        }
    }

    init(
        parts: [any PaginatorEvictionStrategy] = [],
        limits: EvictionLimits = .none,
        lifetime: Duration? = nil,
        minimum: EvictionMinimum = EvictionMinimum()
    ) {
        self.parts = parts
        bareLimits = limits
        bareLifetime = lifetime
        self.minimum = minimum
        var running = parts.isEmpty ? [OrderedEvictionStrategy(LRUOrder(), limits: .none)] : parts
        var untaken = limits
        for index in running.indices {
            guard var limited = running[index] as? any LimitedEvictionStrategy else { continue }
            limited.limit(to: limits)
            running[index] = limited
            untaken = .none
            break
        }
        self.limits = untaken
        leading = running.removeFirst()
        others = running
    }

    /// Returns both together. Combine strategies before a cache uses them.
    public func and(_ other: some PaginatorEvictionStrategy) -> EvictionStrategy {
        let other = EvictionStrategy(other)
        return EvictionStrategy(
            parts: parts + other.parts,
            limits: bareLimits.intersection(other.bareLimits),
            lifetime: [bareLifetime, other.bareLifetime].compactMap { $0 }.min(),
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
            parts: parts, limits: bareLimits, lifetime: bareLifetime,
            minimum: minimum.union(EvictionMinimum(pages: pages, items: items)))
    }

    /// The shortest lifetime of those combined; `nil` when none has one.
    public var lifetime: Duration? {
        ([bareLifetime, leading.lifetime] + others.map(\.lifetime)).compactMap { $0 }.min()
    }

    /// Returns whether each of the combined strategies, and every limit, admits the page.
    public func admits(_ facts: PageFacts) -> Bool {
        limits.admit(facts) && leading.admits(facts) && (others.isEmpty || others.allSatisfy { $0.admits(facts) })
    }

    /// Tells each of the combined strategies.
    public mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {
        leading.inserted(page, facts)
        for index in others.indices { others[index].inserted(page, facts) }
        minimum.remember(facts, of: page)
    }

    /// Tells each of the combined strategies.
    public mutating func used(_ page: PageHandle) {
        leading.used(page)
        for index in others.indices { others[index].used(page) }
    }

    /// Tells each of the combined strategies.
    public mutating func used(_ pages: [PageHandle]) {
        leading.used(pages)
        for index in others.indices { others[index].used(pages) }
    }

    /// Tells each of the combined strategies.
    public mutating func removed(_ page: PageHandle) {
        leading.removed(page)
        for index in others.indices { others[index].removed(page) }
    }

    /// Returns the first page that one of the combined strategies wants to go and that the minimum lets go.
    public mutating func victim(in usage: PageUsage) -> PageHandle? {
        choice(in: usage, holding: usage, where: nil)
    }

    /// The same, among the pages that may go.
    public mutating func victim(in usage: PageUsage, where mayGo: (PageHandle) -> Bool) -> PageHandle? {
        withoutActuallyEscaping(mayGo) { choice(in: usage, holding: usage, where: $0) }
    }

    /// Returns the page that would go first although no limit is passed; the minimum still counts.
    ///
    /// - Parameter usage: what the cache holds.
    mutating func firstToGo(in usage: PageUsage) -> PageHandle? {
        choice(in: .demanding, holding: usage, where: nil)
    }

    /// Returns whether the minimum, and each of the combined strategies, lets the page go for its age.
    public func mayExpire(_ page: PageHandle, in usage: PageUsage) -> Bool {
        minimum.spares(page, of: usage) && leading.mayExpire(page, in: usage)
            && others.allSatisfy { $0.mayExpire(page, in: usage) }
    }
}

// MARK: - Choosing

extension EvictionStrategy {
    private typealias Condition = (PageHandle) -> Bool

    /// Each page that the minimum holds has more items than could be spared, so there are no more of them than the
    /// minimum has items, and passing over them does not depend on the size of the cache.
    private mutating func choice(
        in asked: PageUsage, holding usage: PageUsage, where mayGo: Condition?
    ) -> PageHandle? {
        guard minimum.isSet else { return choice(in: asked, where: mayGo) }
        guard !minimum.holdsEverything(of: usage) else { return nil }
        guard let wanted = choice(in: asked, where: mayGo) else { return nil }
        guard !minimum.spares(wanted, of: usage) else { return wanted }
        let minimum = self.minimum
        return choice(in: asked, where: { minimum.spares($0, of: usage) && mayGo?($0) ?? true })
    }

    private mutating func choice(in usage: PageUsage, where mayGo: Condition?) -> PageHandle? {
        if let page = Self.choice(of: &leading, in: usage, where: mayGo, minimum) { return page }
        for index in others.indices {
            if let page = Self.choice(of: &others[index], in: usage, where: mayGo, minimum) { return page }
        }
        guard limits.areExceeded(by: usage), usage != .demanding else { return nil }
        return choice(in: .demanding, where: mayGo)
    }

    /// Static, because a method would copy the combination with every part.
    @inline(__always)
    private static func choice(
        of part: inout any PaginatorEvictionStrategy, in usage: PageUsage, where mayGo: Condition?,
        _ minimum: EvictionMinimum
    ) -> PageHandle? {
        guard let mayGo else { return part.victim(in: usage) }
        if let page = part.victim(in: usage, where: mayGo) { return page }
        guard minimum.isSet, !(part is any LimitedEvictionStrategy) else { return nil }
        return choice(behindHeldPagesOf: &part, in: usage, where: mayGo, minimum)
    }

    /// For a strategy that cannot pass over a page: the pages held are taken out while it is asked again.
    private static func choice(
        behindHeldPagesOf part: inout any PaginatorEvictionStrategy, in usage: PageUsage, where mayGo: Condition,
        _ minimum: EvictionMinimum
    ) -> PageHandle? {
        var held: [PageHandle] = []
        defer { for page in held { part.inserted(page, minimum.facts(of: page)) } }
        while let page = part.victim(in: usage) {
            if mayGo(page) { return page }
            guard !held.contains(page) else { return nil }
            held.append(page)
            part.removed(page)
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
