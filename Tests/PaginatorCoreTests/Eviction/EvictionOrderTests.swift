import Testing

@testable import PaginatorCore

@Suite struct EvictionOrderTests {
    @Test func `LRU gives up the page not read for the longest`() {
        var cache = NamedEvictor(.lru(maxPages: 3))
        for page in 1...3 { #expect(cache.insert(page) == []) }
        cache.use(1)
        #expect(cache.insert(4) == [2])
        cache.use(3)
        #expect(cache.insert(5) == [1])
        #expect(cache.insert(6) == [4])
        #expect(cache.pages == [3, 5, 6])
    }

    @Test func `FIFO gives up the oldest whatever is read`() {
        var cache = NamedEvictor(.fifo(maxPages: 3))
        for page in 1...3 { #expect(cache.insert(page) == []) }
        cache.use(1)
        #expect(cache.insert(4) == [1])
        cache.remove(2)
        #expect(cache.insert(5) == [])
        #expect(cache.insert(6) == [3])
    }

    @Test func `LIFO gives up the newest and keeps the one that came`() {
        var cache = NamedEvictor(.lifo(maxPages: 3))
        for page in 1...3 { #expect(cache.insert(page) == []) }
        cache.use(1)
        #expect(cache.insert(4) == [3])
        #expect(cache.insert(5) == [4])
        cache.remove(5)
        #expect(cache.insert(6) == [])
        #expect(cache.insert(7) == [6])
        #expect(cache.pages == [1, 2, 7])
    }

    @Test func `LIFO keeps the place of a page that comes again, and gives it up last if it has grown`() {
        var cache = NamedEvictor(.lifo(maxPages: 3, maxBytes: 100))
        for page in 1...3 { cache.insert(page, bytes: 10) }
        #expect(cache.insert(1, bytes: 10) == [])
        #expect(cache.insert(4, bytes: 10) == [3])
        #expect(cache.insert(2, bytes: 10) == [])
        #expect(cache.insert(1, bytes: 85) == [4])
        #expect(cache.insert(1, bytes: 100) == [2])
        #expect(cache.insert(1, bytes: 101) == nil)
        #expect(cache.pages == [] && cache.evictor.usage == PageUsage())
        #expect(cache.insert(5) == [] && cache.insert(6) == [])
    }

    @Test func `a page that comes again is the newest for FIFO and LRU, and keeps its reads for LFU`() {
        for strategy: EvictionStrategy in [.fifo(maxPages: 2), .lru(maxPages: 2)] {
            var cache = NamedEvictor(strategy)
            for page in [1, 2, 1] { #expect(cache.insert(page) == []) }
            #expect(cache.insert(3) == [2])
        }
        var cache = NamedEvictor(.lfu(maxPages: 2))
        cache.insert(1)
        cache.use(1)
        for page in [1, 2] { #expect(cache.insert(page) == []) }
        #expect(cache.insert(3) == [2])
    }

    @Test func `LIFO of one page keeps the newest`() {
        var cache = NamedEvictor(.lifo(maxPages: 1))
        #expect(cache.insert(1) == [])
        #expect(cache.insert(2) == [1])
    }

    @Test func `LFU gives up the least read and of equals the one not read for the longest`() {
        var cache = NamedEvictor(.lfu(maxPages: 3))
        for page in 1...3 { #expect(cache.insert(page) == []) }
        cache.use(1)
        cache.use(1)
        cache.use(3)
        cache.use(2)
        #expect(cache.insert(4) == [3])
        #expect(cache.insert(5) == [4])
        cache.use(5)
        #expect(cache.insert(6) == [2])
        #expect(cache.pages == [1, 5, 6])
    }

    @Test func `LFU counts uses that a store remembers`() {
        var cache = NamedEvictor(.lfu(maxPages: 2))
        cache.insert(1, uses: 1_000_000)
        cache.insert(2, uses: 3)
        cache.use(2)
        #expect(cache.insert(3, uses: 7) == [2])
        #expect(cache.insert(4, uses: 9) == [3])
        #expect(cache.pages == [1, 4])
    }

    @Test func `LFU tells uses apart up to its limit`() {
        var cache = NamedEvictor(.lfu(maxPages: 2))
        cache.insert(1)
        cache.insert(2)
        for _ in 0..<5_000 { cache.use(1) }
        for _ in 0..<4_090 { cache.use(2) }
        #expect(cache.insert(3) == [2])
        for _ in 0..<5_000 { cache.use(3) }
        #expect(cache.insert(4) == [1])
    }

    @Test func `LFU gives pages up by their uses, however many these are and whichever page was read first`() {
        // Each page is named after its number of uses.
        let pages = [0, 1, 62, 64, 66, 127, 129, 200]
        for order in [pages, Array(pages.reversed())] {
            var cache = NamedEvictor(.lfu(maxPages: 9))
            for page in order { cache.insert(page) }
            // The one that came last is given up last until it is read.
            cache.insert(1_000)
            for page in order {
                for _ in 0..<page { cache.use(page) }
            }
            #expect(cache.trim(to: PageUsage()) == pages + [1_000])
        }
    }

    @Test func `what is removed is forgotten`() {
        for strategy: EvictionStrategy in [
            .lru(maxPages: 2), .fifo(maxPages: 2), .lifo(maxPages: 2), .lfu(maxPages: 2),
        ] {
            var cache = NamedEvictor(strategy)
            cache.insert(1)
            cache.insert(2)
            cache.remove(1)
            cache.remove(2)
            #expect(cache.evictor.usage == PageUsage())
            #expect(cache.insert(3) == [])
            #expect(cache.insert(4) == [])
            #expect(cache.insert(5)?.count == 1)
        }
    }

    @Test func `a strategy ignores pages that it does not know`() {
        let strategies: [EvictionStrategy] = [
            .lru(maxPages: 1), .fifo(maxPages: 1), .lifo(maxPages: 1), .lfu(maxPages: 1), .adaptive(maxPages: 1),
        ]
        for strategy in strategies {
            var order = strategy.orders[0]
            for index in [-1, 0, 7, .max, .min] {
                order.used(PageHandle(index: index))
                order.removed(PageHandle(index: index))
            }
            order.inserted(PageHandle(index: -1), PageFacts(bytes: 1, items: 1, keyHash: 1))
            #expect(order.victim(in: .beyondLimits) == nil)
            order.inserted(PageHandle(index: 3), PageFacts(bytes: 1, items: 1, keyHash: 1))
            order.inserted(PageHandle(index: 3), PageFacts(bytes: 1, items: 1, keyHash: 1))
            #expect(order.victim(in: .beyondLimits) == PageHandle(index: 3))
            order.removed(PageHandle(index: 3))
            #expect(order.victim(in: .beyondLimits) == nil)
        }
    }

    @Test func `each cache works on its own copy`() {
        for strategy: EvictionStrategy in [.lru(maxPages: 2), .lfu(maxPages: 2), .adaptive(maxPages: 2)] {
            var one = NamedEvictor(strategy)
            one.insert(1)
            one.insert(2)
            var other = one
            other.use(1)
            #expect(one.insert(3) == [1])
            #expect(other.insert(3) == [2])
        }
    }
}
