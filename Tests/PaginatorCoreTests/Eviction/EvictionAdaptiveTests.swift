import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct EvictionAdaptiveTests {
    @Test(.enabled(if: EvictionTraces.arePresent, "the traces are not here"))
    func `much of the gap between LRU and the optimum is closed`() throws {
        var closed: [Double] = []
        let rows = EvictionTraces.rows.filter { EvictionTraces.areLong || $0.requests < 120_000 }
        for trace in Set(rows.map(\.trace)).sorted() {
            let keys = try EvictionTraces.keys(of: trace)
            for row in rows where row.trace == trace {
                let hits = replay(keys, on: .adaptive(maxPages: row.capacity))
                #expect(hits + row.requests / 200 >= row.lru, "\(row.testDescription)")
                guard (row.optimum - row.lru) * 100 >= row.requests else { continue }
                closed.append(Double(hits - row.lru) / Double(row.optimum - row.lru))
            }
        }
        #expect(closed.reduce(0, +) / Double(closed.count) >= 0.5)
    }

    @Test func `scrolling down again and again is answered`() {
        let keys = (0..<20_000).map { $0 % 400 }
        #expect(replay(keys, on: .lru(maxPages: 200)) == 0)
        for strategy: EvictionStrategy in [
            .adaptive(maxPages: 200), .adaptive(maxItems: 200), .adaptive(maxBytes: 200),
        ] {
            // The optimum is 199 of 400 in each round.
            #expect(replay(keys, on: strategy) > 9_000)
        }
    }

    @Test func `scrolling down again and again with read ahead is answered`() {
        // Each page is asked for three times on its way: twice when it is read ahead, and when it is shown.
        let keys = (0..<20_000).flatMap { place in (0...2).map { (place + $0) % 400 } }
        #expect(replay(keys, on: .lru(maxPages: 200)) < 40_100)
        // The optimum answers about half of the first readings too.
        #expect(replay(keys, on: .adaptive(maxPages: 200)) > 48_500)
    }

    @Test func `scrolling down and up is left to LRU`() {
        let keys = (0..<24_000).map { $0 % 1_200 < 600 ? $0 % 1_200 : 1_199 - $0 % 1_200 }
        for capacity in [20, 100, 300] {
            let lru = replay(keys, on: .lru(maxPages: capacity))
            #expect(replay(keys, on: .adaptive(maxPages: capacity)) >= lru - 120)
            #expect(replay(keys, on: .adaptive(maxItems: capacity)) >= lru - 120)
        }
    }

    @Test func `a scan does not wash the favorites out`() {
        var random = SeededRandom(seed: 1)
        var keys: [Int] = []
        for round in 0..<40 {
            for _ in 0..<300 { keys.append(random.number(in: 0..<100)) }
            keys += (0..<300).map { 1_000 + round * 300 + $0 }
        }
        let lru = replay(keys, on: .lru(maxPages: 120))
        #expect(replay(keys, on: .adaptive(maxPages: 120)) > lru + 2_000)
    }

    @Test func `the lead follows the reads`() {
        var keys: [Int] = []
        for phase in 0..<6 {
            let base = phase * 1_000
            if phase.isMultiple(of: 2) {
                keys += (0..<6_000).map { base + $0 % 300 }
            } else {
                keys += (0..<6_000).map { base + ($0 % 600 < 300 ? $0 % 600 : 599 - $0 % 600) }
            }
        }
        let hits = replay(keys, on: .adaptive(maxPages: 150))
        // Optimum: about half of each phase; LRU has that in the phases that go up and down only.
        #expect(hits > replay(keys, on: .lru(maxPages: 150)) + 5_000)
        #expect(hits > 13_000)
        #expect(hits == replay(keys, on: .adaptive(maxPages: 150)))
    }

    @Test func `what is watched is bounded`() {
        checkWatchedPages(capacity: 100, reads: 20_000, period: 3_001, limit: 700)
    }

    /// As pages do that a minimum keeps, when all of them are cleared.
    @Test func `pages that leave when every policy has forgotten them are not watched any more`() {
        var order = AdaptiveOrder(EvictionLimits(pages: 100))
        for round in 0..<5 {
            for index in 0..<1_000 {
                let hash = mixed(UInt64(round * 1_000 + index))
                order.inserted(PageHandle(index: index), PageFacts(bytes: 1, items: 1, keyHash: hash))
            }
            for index in 0..<1_000 { order.removed(PageHandle(index: index)) }
            #expect(order.pages.count <= 700)
        }
    }

    @Test func `no policy lists pages to evict that have left`() throws {
        var order = AdaptiveOrder(EvictionLimits(pages: 100))
        var random = SeededRandom(seed: 1)
        var handles: [PageHandle] = (0..<100).map(PageHandle.init(index:))
        for key in 0..<5_000 {
            // Every policy evicts others than the cache does.
            if handles.isEmpty {
                let leaving = PageHandle(index: random.number(in: 0..<100))
                order.removed(leaving)
                handles.append(leaving)
            }
            order.inserted(
                handles.removeLast(), PageFacts(bytes: 1, items: 1, keyHash: mixed(UInt64(key * 7 % 1_009))))
        }
        for index in 0..<100 { order.removed(PageHandle(index: index)) }
        for policy in ["lru", "lirs", "s3fifo"] {
            let surplus = try #require(Mirror(reflecting: order).descendant(policy, "surplus") as? IndexList)
            #expect(surplus.count == 0, "\(policy)")
        }
    }

    @Test func `no policy lists pages to evict that it holds`() throws {
        var order = AdaptiveOrder(EvictionLimits(pages: 100))
        var random = SeededRandom(seed: 1)
        for key in 0..<5_000 {
            // Every policy evicts others than the cache does, and then some of those are read again.
            let page = PageHandle(index: key < 100 ? key : random.number(in: 0..<100))
            order.removed(page)
            order.inserted(page, PageFacts(bytes: 1, items: 1, keyHash: mixed(UInt64(key))))
            order.used(PageHandle(index: random.number(in: 0..<100)))
        }
        try checkSurplus(of: order, "lru", LRUShadow.self)
        try checkSurplus(of: order, "lirs", LIRSShadow.self)
        try checkSurplus(of: order, "s3fifo", S3FIFOShadow.self)
    }

    private func checkSurplus<Policy: ShadowPolicy>(
        of order: AdaptiveOrder, _ name: String, _ type: Policy.Type
    ) throws {
        let mirror = Mirror(reflecting: order)
        let policy = try #require(mirror.descendant(name, "policy") as? Policy)
        let surplus = try #require(mirror.descendant(name, "surplus") as? IndexList)
        #expect(surplus.count > 0, "\(name)")
        #expect(surplus.first(where: policy.contains) == nil, "\(name)")
    }

    @Test func `a read of a page that every policy would hold counts for each of them and for the cache`() {
        var order = AdaptiveOrder(EvictionLimits(pages: 4))
        order.inserted(PageHandle(index: 0), PageFacts(bytes: 1, items: 1, keyHash: 1))
        for _ in 0..<5 { order.used(PageHandle(index: 0)) }
        #expect(order.election.hits(isLosing: false) == [5, 5, 5, 5])
    }

    @Test func `a page that nobody has read since it came is given up last, whoever else is read`() {
        var cache = NamedEvictor(.adaptive(maxPages: 4))
        for page in 1...3 { #expect(cache.insert(page) == []) }
        cache.use(1)
        #expect(cache.trim(to: PageUsage(pages: 1, items: .max, bytes: .max)) == [2, 1])
        #expect(cache.pages == [3])
    }

    @Test func `a policy that has room for a new page counts the others as large as they are by now`() throws {
        var order = AdaptiveOrder(EvictionLimits(items: 100))
        var random = SeededRandom(seed: 1)
        for round in 0..<200 {
            // A page that is known comes again with another number of items; then one comes that no policy holds.
            let known = random.number(in: 0..<20)
            for (index, key) in [(known, known), (20, 1_000 + round)] {
                let items = random.number(in: 1..<20)
                order.inserted(
                    PageHandle(index: index), PageFacts(bytes: 1, items: items, keyHash: mixed(UInt64(key))))
            }
            try checkWeight(of: order, "lru", LRUShadow.self)
            try checkWeight(of: order, "lirs", LIRSShadow.self)
            try checkWeight(of: order, "s3fifo", S3FIFOShadow.self)
        }
    }

    private func checkWeight<Policy: ShadowPolicy>(
        of order: AdaptiveOrder, _ name: String, _ type: Policy.Type
    ) throws {
        let policy = try #require(Mirror(reflecting: order).descendant(name, "policy") as? Policy)
        let weights = (0..<300).filter(policy.contains).map { order.pages[$0].weight }
        #expect(!weights.isEmpty && weights.reduce(0, +) <= EvictionLimits.whole, "\(name)")
    }

    @Test func `pages of one hash are kept apart`() {
        var evictor = PaginatorEvictor(strategy: .adaptive(maxPages: 10))
        for _ in 0..<200 {
            #expect(evictor.insert(PageFacts(bytes: 1, items: 1, keyHash: 42), at: .zero) != nil)
            while evictor.nextVictim() != nil {}
            #expect(evictor.usage.pages <= 10)
        }
        #expect(evictor.usage.pages == 10)
    }

    @Test func `a copy of the adaptive order hears nothing of later reads`() {
        var order = AdaptiveOrder(EvictionLimits(pages: 4))
        let pages = (0..<4).map(PageHandle.init(index:))
        for page in pages { order.inserted(page, PageFacts(bytes: 1, items: 1, keyHash: mixed(UInt64(page.index)))) }
        var copy = order
        order.used(pages[0])
        order.used(pages[1])
        func victims(of order: inout AdaptiveOrder) -> [PageHandle?] {
            (4..<8).map { index in
                order.inserted(PageHandle(index: index), PageFacts(bytes: 1, items: 1, keyHash: mixed(UInt64(index))))
                let victim = order.first { _ in true }
                if let victim { order.removed(victim) }
                return victim
            }
        }
        #expect(victims(of: &copy) == pages)
        // LIRS leads once a read was answered, and keeps the pages that were read.
        #expect(victims(of: &order) == [2, 3, 4, 5].map(PageHandle.init(index:)))
    }
}
