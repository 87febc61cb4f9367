/// Makes one weight out of a page's costs, so that pages which fit by weight fit by every limit, but for rounding.
///
/// With a limit on pages alone, a page weighs one. Otherwise it weighs the largest share that it takes of any limit.
struct WeightScale: Sendable {
    private static let whole = 1 << 40

    private let limits: EvictionLimits
    /// How much may weigh in a cache.
    let capacity: Int

    init(_ limits: EvictionLimits) {
        self.limits = limits
        let countsPages = limits.items == .max && limits.bytes == .max
        capacity = countsPages ? max(1, min(limits.pages, Self.whole)) : Self.whole
    }

    /// Returns a page's weight, from 1 to the capacity.
    @inline(__always)
    func weight(of facts: PageFacts) -> Int {
        if limits.items == .max, limits.bytes == .max { return 1 }
        let share = max(
            share(1, of: limits.pages), share(facts.items, of: limits.items), share(facts.bytes, of: limits.bytes))
        return max(1, share)
    }

    private func share(_ cost: Int, of limit: Int) -> Int {
        guard limit != .max else { return 0 }
        guard cost < limit else { return Self.whole }
        return limit.dividingFullWidth(cost.multipliedFullWidth(by: Self.whole)).quotient
    }
}
