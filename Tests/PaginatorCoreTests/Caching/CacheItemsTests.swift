import Testing

@testable import PaginatorCore

/// Which pages an edit looks at.
@Suite struct CacheItemsTests {
    private final class Closure: Sendable {}

    private let cache = PageCache(strategy: .lru(maxPages: 10))
    private let closure = Closure()

    /// Items are the digits of a page's number.
    private func target(_ item: UInt32) -> ItemTarget {
        ItemTarget(identifier: closure, hash: item) { page in
            var digits: [UInt32] = []
            var rest = (page as? Numbered)?.number ?? 0
            while rest > 0 {
                digits.append(UInt32(rest % 10))
                rest /= 10
            }
            return digits
        }
    }

    private func pages(with item: UInt32) -> [PageIdentity] { cache.pages(thatMayHave: target(item)).pages }

    @Test func `an edit looks at the pages that have its item`() {
        for page in [12, 23, 31] { cache.admit(page) }
        #expect(pages(with: 2) == [.page(12), .page(23), .page(31)])
        cache.indexItems(for: target(2))
        #expect(pages(with: 2) == [.page(12), .page(23)])
        #expect(pages(with: 1) == [.page(12), .page(31)])
        #expect(pages(with: 9).isEmpty)
    }

    @Test func `an edit looks at no page that has gone, and at one that came in its place`() {
        for page in [12, 23] { cache.admit(page) }
        _ = pages(with: 2)
        _ = cache.remove(.identity(.page(12)), because: .cleared)
        #expect(pages(with: 2) == [.page(23)], "its items were unknown")
        cache.indexItems(for: target(2))
        _ = cache.remove(.identity(.page(23)), because: .cleared)
        #expect(pages(with: 2).isEmpty, "its items were known")
        cache.admit(31)
        #expect(pages(with: 2) == [.page(31)])
        cache.indexItems(for: target(2))
        #expect(pages(with: 2).isEmpty)
    }

    @Test func `the index of many pages that have gone is as small again as that of few`() throws {
        func capacity(of index: ItemIndex) throws -> Int {
            let (entries, firsts, visits) = ("entries", "firsts", "visits")
            return try [entries, firsts, visits].reduce(0) { sum, name in
                let array = try #require(Mirror(reflecting: index).descendant(name))
                return sum + Mirror(reflecting: array).children.count
            }
        }
        var index = ItemIndex()
        func set(_ places: Range<Int>) {
            for place in places { index.set(place, (0..<10).map { UInt32(place * 10 + $0) }) }
        }
        set(0..<100)
        let few = try capacity(of: index)
        set(100..<10_000)
        #expect(try capacity(of: index) > 50 * few)
        for place in 100..<10_000 { index.remove(place) }
        set(0..<100)
        #expect(try capacity(of: index) <= 2 * few)
        #expect(index.items == 1_000 && index.places(of: 42) == [4])
    }

    @Test func `what was unknown of many pages costs a later edit nothing`() {
        var indexes = ItemIndexes()
        _ = indexes.find(target(1)) { Set(0..<10_000) }
        #expect(indexes.unknown(to: target(1)).count == 10_000)
        for place in 0..<10_000 { indexes.set(place, [UInt32(place)], for: target(1)) }
        // An edit looks through all of the table, however few places it has.
        #expect(indexes.unknown(to: target(1)).capacity <= 64)
        #expect(indexes.find(target(4_711)) { [] }.places == [4_711])
    }

    @Test func `a page that came without an edit is looked at by each edit until it has that edit`() throws {
        _ = pages(with: 1)
        cache.editCount.value = 5
        let old = Numbered(1)
        let facts = PageFacts(bytes: 1, items: 1, keyHash: PageIdentity.page(1).stableHash)
        _ = cache.admit(.page(1), .of(old, facts), lacksEdits: true, at: .zero)
        cache.indexItems(for: target(1))
        // The edit that it lacks may give it any item.
        #expect(pages(with: 2) == [.page(1)])
        #expect(cache.edit([EditedPage(identity: .page(1), object: old, edited: Numbered(2), editCount: 5)]).isEmpty)
        cache.indexItems(for: target(1))
        #expect(pages(with: 2) == [.page(1)])
        #expect(pages(with: 1).isEmpty)
    }
}
