import Testing

@testable import PaginatorCore

/// The spellings that users write compile, for the property that they write them to.
@Suite struct EvictionSpellingTests {
    @Test func `strategies read well`() {
        var config = DefaultPaginatorConfig()
        config.inMemoryEvictionStrategy = .lru(maxPages: 200).and(.timeToLive(.days(15))).keepingAtLeast(items: 50)
        #expect(config.inMemoryEvictionStrategy.lifetime == .days(15))
        config.inMemoryEvictionStrategy = EvictionStrategy(NothingGoes())
        config.inMemoryEvictionStrategy = EvictionStrategy(NothingGoes()).and(.maxBytes(10)).keepingAtLeast(pages: 1)
        config.inMemoryEvictionStrategy = .maxPages(3).and(EvictionStrategy(NothingGoes()))
        config.storeEvictionStrategy = .maxBytes(100_000_000)
        let tooLarge = PageFacts(bytes: 100_000_001, items: 0, keyHash: 0)
        #expect(config.storeEvictionStrategy?.orders.contains { !$0.admits(tooLarge) } == true)
    }
}

/// The shortest strategy there is.
private struct NothingGoes: PaginatorEvictionStrategy {
    mutating func inserted(_ page: PageHandle, _ facts: PageFacts) {}
    mutating func used(_ page: PageHandle) {}
    mutating func removed(_ page: PageHandle) {}
    mutating func victim(in usage: PageUsage) -> PageHandle? { nil }
}
