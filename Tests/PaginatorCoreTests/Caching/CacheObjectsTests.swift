import PaginatorTesting
import Testing

@testable import PaginatorCore

/// The cache as users see it.
@Suite struct CacheObjectsTests {
    @Test func `objects are kept by their cost`() {
        let removals = Guarded<[String]>([])
        let cache = PaginatorInMemoryCache<Numbered>(
            strategy: .lru(maxBytes: 100), byteCount: { $0.number },
            onRemoval: { identity, value, cause in
                removals.withLock { $0.append("\(identity.key) \(value.number) \(cause)") }
            })
        #expect(cache.set(Numbered(60), for: .page(1)))
        #expect(cache.set(Numbered(40), for: .page(2)))
        #expect(cache.get(.page(1))?.number == 60)
        #expect(cache.peek(.page(2))?.number == 40)
        #expect(cache.set(Numbered(30), for: .page(3)))
        #expect(!cache.set(Numbered(101), for: .page(3)))
        #expect(cache.usage == PageUsage(pages: 1, items: 1, bytes: 60))
        cache.remove(.page(1))
        #expect(removals.withLock { $0 } == ["page-2 40 strategy", "page-3 30 replaced", "page-1 60 cleared"])
    }

    @Test func `objects expire and pins hold them`() {
        let clock = ManualPaginatorClock()
        let cache = PaginatorInMemoryCache<Numbered>(strategy: .timeToLive(.seconds(10)), clock: clock)
        cache.set(Numbered(1), for: .page(1))
        cache.set(Numbered(2), for: .page(2))
        #expect(cache.pin(.page(2)))
        #expect(!cache.pin(.page(3)))
        clock.advance(by: .seconds(10))
        #expect(cache.get(.page(1)) == nil)
        #expect(cache.get(.page(2))?.number == 2)
        #expect(cache.pinnedUsage.pages == 1)
        cache.unpin(.page(2))
        #expect(cache.peek(.page(2)) == nil)
        cache.removeExpired()
        #expect(cache.usage.pages == 0)
    }

    @Test func `the objects of a scope can be removed, and all`() {
        let removals = Guarded<[String]>([])
        let cache = PaginatorInMemoryCache<Numbered>(
            onRemoval: { identity, _, cause in removals.withLock { $0.append("\(identity.key) \(cause)") } })
        cache.set(Numbered(1), for: .page(1))
        cache.set(Numbered(2), for: .page(2, scope: "mine"))
        cache.set(Numbered(3), for: .page(3))
        cache.removeAll(.scope("mine"))
        #expect(removals.withLock { $0 } == ["page-2 cleared"])
        #expect(cache.peek(.page(1))?.number == 1 && cache.usage.pages == 2)
        cache.removeAll()
        #expect(removals.withLock { $0.sorted() } == ["page-1 cleared", "page-2 cleared", "page-3 cleared"])
        #expect(cache.usage == PageUsage())
    }

    @Test func `a strategy of the user's hears of each read once, however many there are between two changes`() {
        let reads = Tally()
        let cache = PaginatorInMemoryCache<Numbered>(strategy: EvictionStrategy(ReadCounting(reads: reads)))
        cache.set(Numbered(1), for: .page(1))
        for _ in 0..<1_000 { #expect(cache.get(.page(1)) != nil) }
        #expect(cache.peek(.page(1)) != nil && cache.get(.page(2)) == nil)
        cache.set(Numbered(2), for: .page(2))
        #expect(reads.count == 1_000)
    }

    @Test func `trimming leaves a fraction`() {
        let cache = PaginatorInMemoryCache<Numbered>(strategy: .adaptive(maxPages: 50))
        for number in 0..<20 { cache.set(Numbered(number), for: .page(number)) }
        cache.trim(toFraction: 0.5)
        #expect(cache.usage.pages == 10)
    }
}

/// A user's strategy that counts the reads of which it is told.
private struct ReadCounting: PaginatorEvictionStrategy {
    let reads: Tally

    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {}
    mutating func used(_ page: PageHandle) { reads.add() }
    mutating func removed(_ page: PageHandle) {}
    mutating func victim(in usage: PageUsage) -> PageHandle? { nil }
}
