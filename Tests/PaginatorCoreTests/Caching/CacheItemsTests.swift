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
        cache.learnItems(for: target(2))
        #expect(pages(with: 2) == [.page(12), .page(23)])
        #expect(pages(with: 1) == [.page(12), .page(31)])
        #expect(pages(with: 9).isEmpty)
    }

    @Test func `a page that came without an edit is looked at by each edit until it has that edit`() throws {
        _ = pages(with: 1)
        cache.editCount.value = 5
        let old = Numbered(1)
        let facts = PageFacts(bytes: 1, items: 1, keyHash: PageIdentity.page(1).stableHash)
        _ = cache.admit(.page(1), .of(old, facts), lacksEdits: true, at: .zero)
        cache.learnItems(for: target(1))
        // The edit that it lacks may give it any item.
        #expect(pages(with: 2) == [.page(1)])
        #expect(cache.edit([EditedPage(identity: .page(1), object: old, edited: Numbered(2), editCount: 5)]).isEmpty)
        cache.learnItems(for: target(1))
        #expect(pages(with: 2) == [.page(1)])
        #expect(pages(with: 1).isEmpty)
    }
}
