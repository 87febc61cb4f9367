import Testing

@testable import PaginatorCore

@Suite struct EvictionLimitTests {
    @Test func `limits on items and bytes hold`() {
        var items = NamedEvictor(.lru(maxItems: 10))
        #expect(items.insert(1, items: 4) == [])
        #expect(items.insert(2, items: 6) == [])
        #expect(items.insert(3, items: 5) == [1, 2])
        var bytes = NamedEvictor(.maxBytes(100))
        #expect(bytes.insert(1, bytes: 60) == [])
        #expect(bytes.insert(2, bytes: 40) == [])
        bytes.use(1)
        #expect(bytes.insert(3, bytes: 1) == [2])
        #expect(bytes.evictor.usage == PageUsage(pages: 2, items: 2, bytes: 61))
    }

    @Test func `a page over the whole limit is not admitted`() {
        for strategy: EvictionStrategy in [
            .lru(maxBytes: 10), .maxBytes(10), .adaptive(maxBytes: 10), .lfu(maxBytes: 10),
        ] {
            var cache = NamedEvictor(strategy)
            #expect(cache.insert(1, bytes: 10) == [])
            #expect(cache.insert(2, bytes: 11) == nil)
            #expect(cache.pages == [1])
        }
    }

    @Test func `a limit of nothing admits nothing`() {
        for limit in [0, -1, .min] {
            var cache = NamedEvictor(.maxPages(limit))
            #expect(cache.insert(1) == nil)
            var items = NamedEvictor(.adaptive(maxItems: limit))
            #expect(items.insert(1) == nil)
            #expect(items.insert(2, items: 0) == [])
            var bytes = NamedEvictor(.lru(maxBytes: limit))
            #expect(bytes.insert(1, bytes: 1) == nil)
            #expect(bytes.insert(2, bytes: 0) == [])
        }
    }

    @Test func `costs that overflow or are negative are counted`() {
        var cache = NamedEvictor(.lru(maxPages: 5))
        for page in 1...4 { #expect(cache.insert(page, items: -7, bytes: .max) == []) }
        #expect(cache.evictor.usage == PageUsage(pages: 4, items: 0, bytes: .max))
        for page in 1...3 { cache.remove(page) }
        #expect(cache.evictor.usage == PageUsage(pages: 1, items: 0, bytes: .max))
        cache.insert(5, bytes: 3)
        cache.remove(4)
        #expect(cache.evictor.usage == PageUsage(pages: 1, items: 1, bytes: 3))

        // The sum is a little more than the greatest unsigned number.
        var large = NamedEvictor(.lru(maxPages: 5))
        for (page, bytes) in [(1, Int.max), (2, Int.max), (3, 5)] {
            let evicted = large.insert(page, bytes: bytes)
            #expect(evicted == [])
        }
        #expect(large.evictor.usage == PageUsage(pages: 3, items: 3, bytes: .max))
        for page in 1...2 { large.remove(page) }
        #expect(large.evictor.usage == PageUsage(pages: 1, items: 1, bytes: 5))

        var bounded = NamedEvictor(.lru(maxBytes: .max - 1))
        #expect(bounded.insert(1, bytes: .max) == nil)
        #expect(bounded.insert(2, bytes: .max - 1) == [])
        #expect(bounded.insert(3, bytes: .max - 1) == [2])
    }

    @Test func `a new page has no uses, and negative facts count as zero`() {
        #expect(PageFacts(bytes: 1, items: 1, keyHash: 1).restoredUses == 0)
        let facts = PageFacts(bytes: -1, items: .min, keyHash: 1, restoredUses: -3)
        #expect([facts.bytes, facts.items, facts.restoredUses] == [0, 0, 0])
    }

    @Test func `pinned pages are counted but not chosen`() {
        var cache = NamedEvictor(.lru(maxPages: 3))
        for page in 1...3 { cache.insert(page) }
        cache.pin(1)
        #expect(cache.insert(4) == [2])
        #expect(cache.insert(5) == [3])
        #expect(cache.unpin(1) == [])
        #expect(cache.insert(6) == [4])
        #expect(cache.insert(7) == [5])
        #expect(cache.insert(8) == [1])
    }

    @Test func `the page just admitted stays when pins fill the limit`() {
        var cache = NamedEvictor(.lru(maxPages: 2))
        for page in 1...2 {
            cache.insert(page)
            cache.pin(page)
        }
        #expect(cache.insert(3) == [])
        #expect(cache.insert(4) == [3])
        #expect(cache.evictor.usage.pages == 3)
        #expect(cache.evictor.pinnedUsage.pages == 2)
    }

    @Test func `handles are dense and used again`() {
        var evictor = PaginatorEvictor(strategy: .lru(maxPages: 3))
        var highest = 0
        for number in 0..<100 {
            let handle = evictor.insert(PageFacts(bytes: 1, items: 1, keyHash: UInt64(number)), at: .zero)
            highest = max(highest, handle?.index ?? .max)
            while evictor.nextVictim() != nil {}
        }
        #expect(highest == 3)
        #expect(evictor.handles.count == 3)
    }

    @Test func `an evictor ignores handles that are not in use`() {
        var evictor = PaginatorEvictor(strategy: .lru(maxPages: 3))
        for index in [-1, 0, 5, Int.max] {
            let handle = PageHandle(index: index)
            evictor.use(handle)
            let isReplaced = evictor.replace(handle, PageFacts(bytes: 1, items: 1, keyHash: 1))
            #expect(!isReplaced)
            evictor.remove(handle)
            evictor.pin(handle)
            evictor.unpin(handle)
            #expect(evictor.deadline(of: handle) == nil)
        }
        #expect(evictor.usage == PageUsage())
    }

    @Test func `a strategy that names strange pages does no harm`() {
        var evictor = PaginatorEvictor(strategy: EvictionStrategy(Confused()))
        for number in 0..<5 {
            _ = evictor.insert(PageFacts(bytes: 1, items: 1, keyHash: UInt64(number)), at: .zero)
            #expect(evictor.nextVictim()?.page == nil)
        }
        #expect(evictor.usage.pages == 5)
    }
}

private struct Confused: PaginatorEvictionStrategy {
    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {}
    mutating func used(_ page: PageHandle) {}
    mutating func removed(_ page: PageHandle) {}
    mutating func victim(in usage: PageUsage) -> PageHandle? { PageHandle(index: usage.pages % 2 == 0 ? -3 : 1_000) }
}
