public import PaginatorCore

extension Contract {
    /// The contract of ``/PaginatorCore/PaginatorEvictionStrategy``, to run on your own strategy.
    ///
    /// ```swift
    /// Contract.eviction(limit: PageUsage(pages: 100, items: .max, bytes: .max)) { MyStrategy(maxPages: 100) }
    ///     .checkAll { XCTFail($0, file: $1, line: $2) }
    /// ```
    ///
    /// The cases do what the memory cache does: they reuse handles, pin pages, and remove victims until the strategy
    /// names no more.
    ///
    /// - Parameters:
    ///   - limit: the strategy's limits, with `.max` for what it does not limit; `nil`, the default, for none. The case
    ///     `limit` fails if a strategy without a limit names a victim. It also fails for a limit of zero, and for one
    ///     that its 2,000 pages (at most 40 items and 3,000 bytes each) do not reach: make a strategy with small limits
    ///     for it.
    ///   - keeps: the minimum of pages and items that the strategy keeps even if more victims are demanded; none by
    ///     default.
    ///   - make: returns a strategy without pages.
    public static func eviction(
        limit: PageUsage? = nil, keeps: PageUsage = PageUsage(),
        make: @escaping @Sendable () -> any PaginatorEvictionStrategy
    ) -> Contract {
        let contract = EvictionContract(limit: limit, keeps: keeps, make: make)
        return Contract(cases: EvictionContract.cases) { contract.run($0, seed: $1, fail: $2) }
    }
}

struct EvictionContract: Sendable {
    static let cases = [
        "victims are there", "empty", "ends", "limit", "value", "extreme costs", "steady", "demanded",
    ]

    let limit: PageUsage?
    let keeps: PageUsage
    let make: @Sendable () -> any PaginatorEvictionStrategy

    func run(_ name: String, seed: UInt64, fail: @escaping @Sendable (String) -> Void) {
        switch name {
        case "victims are there":
            var cache = ContractCache(make(), seed: seed, fail: fail)
            for _ in 0..<3_000 { cache.step() }
        case "empty": empty(fail)
        case "ends": ends(seed, fail)
        case "limit": limits(seed, fail)
        case "value": value(seed, fail)
        case "extreme costs": extremeCosts(seed, fail)
        case "steady": steady(fail)
        default: demanded(seed, fail)
        }
    }

    private func empty(_ fail: (String) -> Void) {
        var strategy = make()
        if strategy.victim(in: PageUsage()) != nil { fail("a strategy without pages names a victim") }
        if strategy.victim(in: .beyondLimits) != nil { fail("a strategy without pages names a victim when demanded") }
        let page = PageHandle(index: 0)
        strategy.inserted(page, PageFacts(bytes: 1, items: 1, keyHash: 1))
        strategy.removed(page)
        if strategy.victim(in: .beyondLimits) != nil { fail("a page that has gone is named") }
    }

    private func ends(_ seed: UInt64, _ fail: @escaping @Sendable (String) -> Void) {
        var cache = ContractCache(make(), seed: seed, fail: fail)
        for _ in 0..<200 { cache.insert() }
        cache.evict()
        if let page = cache.strategy.victim(in: cache.usage) {
            fail("the page \(page.index) is named after as many victims as there were pages")
        }
        let holdsOne = limit.map { $0.pages >= 1 && $0.items >= 1 && $0.bytes >= 1 } ?? true
        var small = ContractCache(make(), seed: seed, fail: fail)
        small.insert(PageFacts(bytes: 1, items: 1, keyHash: 1))
        if holdsOne, small.strategy.victim(in: small.usage) != nil {
            fail("the only page is named, though it is within every limit")
        }
    }

    private func limits(_ seed: UInt64, _ fail: @escaping @Sendable (String) -> Void) {
        guard let limit else { return unlimited(seed, fail) }
        guard limit.pages > 0, limit.items > 0, limit.bytes > 0 else {
            return fail("\(limit) allows nothing; pass .max for what the strategy does not limit")
        }
        var cache = ContractCache(make(), seed: seed, fail: fail)
        for step in 0..<2_000 {
            let admitted = cache.insert()
            cache.evict()
            if cache.random.chance(0.3) { cache.use() }
            let usage = cache.usage
            let isSurplus =
                usage.pages > limit.pages || usage.items > max(limit.items, admitted?.items ?? 0)
                || usage.bytes > limit.bytes
            guard isSurplus else { continue }
            // Without even the largest page there would be enough left.
            let largest = cache.pages.values.map(\.items).max() ?? 0
            if usage.pages > keeps.pages, usage.items - largest >= keeps.items {
                return fail("after \(step + 1) pages \(usage) is more than the limit \(limit)")
            }
        }
        if cache.victims.isEmpty { fail("2,000 pages do not reach the limit \(limit); test with a smaller one") }
    }

    private func unlimited(_ seed: UInt64, _ fail: @escaping @Sendable (String) -> Void) {
        var cache = ContractCache(make(), seed: seed, fail: fail)
        for _ in 0..<20 {
            for _ in 0..<100 { cache.insert() }
            guard cache.strategy.victim(in: cache.usage) == nil else {
                return fail("a victim is named among \(cache.usage.pages) pages; pass its limit")
            }
        }
    }

    /// After different calls of a copy, the original must name the same victims as a strategy that was never copied.
    private func value(_ seed: UInt64, _ fail: @escaping @Sendable (String) -> Void) {
        func victims(copying: Bool) -> [PageHandle] {
            var cache = ContractCache(make(), seed: seed, fail: { _ in })
            for _ in 0..<300 { cache.step() }
            if copying {
                var copy = cache
                for _ in 0..<300 { copy.step() }
                for _ in 0..<1_000 { if !copy.dropOne() { break } }
            }
            for _ in 0..<300 { cache.step() }
            // Under a limit that is not reached, only a demand tells the order.
            while cache.dropOne() {}
            return cache.victims
        }
        if victims(copying: false) != victims(copying: true) {
            fail("what happens to a copy, or chance, changes which pages go")
        }
    }

    private func extremeCosts(_ seed: UInt64, _ fail: @escaping @Sendable (String) -> Void) {
        var cache = ContractCache(make(), seed: seed, fail: fail)
        let costs = [0, 1, .max, .max - 1]
        for bytes in costs {
            for items in costs {
                for uses in costs {
                    cache.insert(PageFacts(bytes: bytes, items: items, keyHash: .max, restoredUses: uses))
                    cache.use()
                    cache.evict()
                }
            }
        }
    }

    private func steady(_ fail: (String) -> Void) {
        var strategy = make()
        let lifetime = strategy.lifetime
        let facts = PageFacts(bytes: 10, items: 1, keyHash: 7)
        let admits = strategy.admits(facts)
        for index in 0..<20 { strategy.inserted(PageHandle(index: index), facts) }
        if strategy.lifetime != lifetime { fail("the lifetime changes") }
        if strategy.admits(facts) != admits { fail("the same page is admitted at one time and refused at another") }
    }

    private func demanded(_ seed: UInt64, _ fail: @escaping @Sendable (String) -> Void) {
        var cache = ContractCache(make(), seed: seed, fail: fail)
        for _ in 0..<60 { cache.insert() }
        cache.evict()
        let before = cache.usage
        for _ in 0..<before.pages {
            if !cache.dropOne() { break }
        }
        let left = cache.usage
        if keeps == PageUsage(), left.pages > 0 {
            fail("\(left.pages) of \(before.pages) pages are never named when memory is to be freed")
        }
        if left.pages < min(keeps.pages, before.pages) || left.items < min(keeps.items, before.items) {
            fail("only \(left) is left of \(before) when memory is to be freed, less than is kept: \(keeps)")
        }
    }
}
