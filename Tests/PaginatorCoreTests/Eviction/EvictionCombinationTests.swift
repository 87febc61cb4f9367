import Testing

@testable import PaginatorCore

@Suite struct EvictionCombinationTests {
    @Test func `every part limits`() {
        var cache = NamedEvictor(.fifo(maxPages: 3).and(.lru(maxBytes: 10)))
        #expect(cache.insert(1, bytes: 4) == [])
        #expect(cache.insert(2, bytes: 4) == [])
        cache.use(1)
        #expect(cache.insert(3, bytes: 4) == [2])
        cache.insert(4, bytes: 1)
        #expect(cache.insert(5, bytes: 1) == [1])
        #expect(cache.insert(6, bytes: 11) == nil)
    }

    @Test func `a limit alone joins the order that is there`() {
        for strategy in [EvictionStrategy.fifo().and(.maxPages(2)), .maxPages(2).and(.fifo())] {
            var cache = NamedEvictor(strategy)
            cache.insert(1)
            cache.insert(2)
            cache.use(1)
            #expect(cache.insert(3) == [1])
        }
        var alone = NamedEvictor(.maxPages(2).and(.maxBytes(100)).and(.timeToLive(.days(1))))
        alone.insert(1)
        alone.insert(2)
        alone.use(1)
        #expect(alone.insert(3) == [2])
        #expect(alone.insert(4, bytes: 101) == nil)
    }

    @Test func `a limit joins a strategy of the user's that has none`() {
        var cache = NamedEvictor(EvictionStrategy(HighestFirst()).and(.maxPages(2)))
        cache.insert(1)
        cache.insert(2)
        #expect(cache.insert(3) == [3])
        #expect(cache.insert(4) == [4])
    }

    @Test func `a page that a strategy of the user's refuses, or its limits, is not admitted`() {
        var cache = NamedEvictor(EvictionStrategy(HighestFirst(mostItems: 3)).and(.maxBytes(100)))
        #expect(cache.insert(1, items: 3, bytes: 100) == [])
        #expect(cache.insert(2, items: 4, bytes: 1) == nil)
        #expect(cache.insert(3, items: 1, bytes: 101) == nil)
    }

    @Test func `the shortest lifetime counts`() {
        #expect(EvictionStrategy.timeToLive(.days(2)).and(.timeToLive(.hours(3))).and(.lru()).lifetime == .hours(3))
        #expect(EvictionStrategy.lru().and(.maxItems(2)).lifetime == nil)
    }

    @Test func `the minimum beats every limit wherever it is written`() {
        let strategies: [EvictionStrategy] = [
            .lru(maxPages: 2).keepingAtLeast(items: 5),
            .maxPages(2).keepingAtLeast(items: 5).and(.lru(maxPages: 3)),
            .timeToLive(.days(1)).keepingAtLeast(items: 5).keepingAtLeast(items: 1).and(.lru(maxPages: 2)),
            .lru(maxPages: 2).keepingAtLeast(pages: 5),
        ]
        for strategy in strategies {
            var cache = NamedEvictor(strategy)
            for page in 1...5 { #expect(cache.insert(page) == []) }
            #expect(cache.insert(6) == [1])
            #expect(cache.evictor.usage.items == 5)
        }
    }

    @Test func `the minimum passes over a page that is too large to spare`() {
        for strategy in [EvictionStrategy.lru(maxPages: 2), .fifo(maxPages: 2)] {
            var cache = NamedEvictor(strategy.keepingAtLeast(items: 50))
            #expect(cache.insert(1, items: 49) == [])
            #expect(cache.insert(2, items: 3) == [])
            #expect(cache.insert(3, items: 3) == [2])
            #expect(cache.insert(4, items: 50) == [1])
        }
    }

    @Test func `the minimum passes over pages of a strategy of the user's`() {
        var cache = NamedEvictor(EvictionStrategy(HighestFirst(limit: 2)).keepingAtLeast(items: 50))
        #expect(cache.insert(1, items: 3) == [])
        #expect(cache.insert(2, items: 3) == [])
        #expect(cache.insert(3, items: 49) == [2])
        #expect(cache.pages == [1, 3])
        #expect(cache.insert(4, items: 2) == [4])
        #expect(cache.insert(5, items: 50) == [3], "the strategy still knows the page that had to stay")
        #expect(cache.pages == [1, 5])
    }

    @Test func `the minimum beats age`() {
        var cache = NamedEvictor(.timeToLive(.seconds(1)).keepingAtLeast(items: 4))
        for page in 1...3 { cache.insert(page, items: 2) }
        #expect(cache.expire(at: .seconds(5)) == [1])
        #expect(cache.expire(at: .seconds(6)) == [])
        cache.insert(4, items: 2, at: .seconds(6))
        #expect(cache.expire(at: .seconds(6)) == [2])
    }

    @Test func `trimming asks for more than the limits do`() {
        let strategies: [EvictionStrategy] = [
            .lru(), .lru(maxPages: 9), .timeToLive(.days(1)), .adaptive(maxPages: 9), EvictionStrategy(HighestFirst()),
            .fifo().and(EvictionStrategy(HighestFirst(limit: 9))),
        ]
        for strategy in strategies {
            var cache = NamedEvictor(strategy)
            for page in 1...5 { cache.insert(page) }
            #expect(cache.trim(to: PageUsage(pages: 2, items: 2, bytes: 2)).count == 3)
            #expect(cache.trim(to: PageUsage()).count == 2)
        }
        var kept = NamedEvictor(.lru().keepingAtLeast(pages: 2))
        for page in 1...5 { kept.insert(page) }
        #expect(kept.trim(to: PageUsage()) == [1, 2, 3])
    }
}

/// A user's strategy: the highest handle goes first.
private struct HighestFirst: PaginatorEvictionStrategy {
    var limit = Int.max - 1
    var mostItems = Int.max
    var pages: Set<PageHandle> = []

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) { pages.insert(page) }
    mutating func used(_ page: PageHandle) {}
    mutating func removed(_ page: PageHandle) { pages.remove(page) }
    func admits(_ facts: PageFacts) -> Bool { facts.items <= mostItems }
    mutating func victim(in usage: PageUsage) -> PageHandle? {
        usage.pages > limit ? pages.max { $0.index < $1.index } : nil
    }
}
