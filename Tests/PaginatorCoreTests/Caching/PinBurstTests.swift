import Testing

@testable import PaginatorCore

@Suite struct PinBurstTests {
    @Test func `a cache keeps no memory of thousands of pins that are gone`() {
        let cache = PageCache(strategy: .lru(maxPages: 2))
        for number in 0..<3_000 { cache.pin(.page(number), isAwaited: true) }
        for number in 0..<3_000 { _ = cache.unpin(.page(number)) }
        let capacity = cache.withWriter { $1.pins.capacity }
        #expect(capacity <= 1_024)
        #expect(!cache.isPinned(.page(0)))
    }
}
