import Testing

@testable import PaginatorCore

@Suite struct CachePinsAndLifetimeTests {
    @Test func `pins beat the limit and are counted`() {
        let cache = PageCache(strategy: .lru(maxPages: 2))
        for number in 1...2 {
            cache.admit(number)
            #expect(cache.pin(.page(number)))
            #expect(cache.pin(.page(number)))
        }
        #expect(!cache.pin(.page(9)))
        #expect(cache.admit(3).removed.isEmpty)
        #expect(cache.admit(4).removed.numbers == [3])
        #expect(cache.pinnedUsage == PageUsage(pages: 2, items: 2, bytes: 2))
        #expect(cache.unpin(.page(1)).isEmpty)
        #expect(cache.unpin(.page(1)).numbers == [4])
        #expect(cache.pinnedUsage.pages == 1)
        #expect(cache.unpin(.page(1)).isEmpty)
        #expect(cache.numbers == [1, 2])
    }

    @Test func `a successor inherits the pins`() {
        let cache = PageCache(strategy: .lru(maxBytes: 10))
        cache.admit(1, bytes: 5)
        #expect(cache.pin(.page(1)))
        #expect(cache.admit(1, bytes: 50).isAdmitted)
        #expect(cache.pinnedUsage.bytes == 50)
        #expect(cache.unpin(.page(1)).numbers == [1])
    }

    @Test func `a page goes at the end of its lifetime`() {
        let cache = PageCache(strategy: .timeToLive(.seconds(10)))
        cache.admit(1, at: .seconds(0))
        cache.admit(2, at: .seconds(3))
        cache.admit(3, at: .seconds(4), fetchedAt: .seconds(-2))
        #expect(cache.nextDeadline == .seconds(8))
        #expect(cache.expire(at: .seconds(7)).isEmpty)
        #expect(cache.number(at: .page(3), now: .seconds(8)) == nil)
        #expect(cache.nextDeadline == .zero)
        let removed = cache.expire(at: .seconds(8))
        #expect(removed.numbers == [3])
        #expect(removed.causes == [.lifetime])
        #expect(cache.nextDeadline == .seconds(10))
        #expect(cache.admit(4, at: .seconds(12)).removed.numbers == [1])
        #expect(cache.expire(at: .seconds(100)).numbers == [2, 4])
        #expect(cache.nextDeadline == nil)
    }

    @Test func `the minimum holds pages beyond their lifetime`() {
        let cache = PageCache(strategy: .timeToLive(.seconds(10)).keepingAtLeast(items: 5))
        cache.admit(1, items: 3, at: .seconds(0))
        cache.admit(2, items: 3, at: .seconds(1))
        #expect(cache.number(at: .page(1), now: .seconds(20)) == 1)
        #expect(cache.expire(at: .seconds(20)).isEmpty)
        #expect(cache.nextDeadline == nil)
        #expect(cache.number(at: .page(1), now: .seconds(20)) == 1)
        #expect(cache.admit(3, items: 3, at: .seconds(21)).removed.numbers == [1])
        #expect(cache.number(at: .page(1), now: .seconds(21)) == nil)
        #expect(cache.number(at: .page(2), now: .seconds(21)) == 2)
    }

    @Test(arguments: [true, false])
    func `a read of a page that the minimum holds beyond its lifetime is a use, and a look is none`(isRead: Bool) {
        let cache = PageCache(
            strategy: .lfu(maxPages: 2).and(.timeToLive(.seconds(10))).keepingAtLeast(items: 2))
        for number in 1...2 { cache.admit(number) }
        #expect(cache.number(at: .page(1), now: .seconds(20), touching: isRead) == 1)
        // The next page of an identity goes on with its uses.
        for number in 1...2 { cache.admit(number, at: .seconds(20)) }
        #expect(cache.admit(3, at: .seconds(21)).removed.numbers == [isRead ? 2 : 1])
    }

    @Test func `a pin holds a page beyond its lifetime and no longer`() {
        let cache = PageCache(strategy: .timeToLive(.seconds(10)))
        cache.admit(1)
        #expect(cache.pin(.page(1)))
        #expect(cache.expire(at: .seconds(11)).isEmpty)
        #expect(cache.number(at: .page(1), now: .seconds(11)) == 1)
        #expect(cache.unpin(.page(1)).isEmpty)
        #expect(cache.nextDeadline == .seconds(10))
        #expect(cache.number(at: .page(1), now: .seconds(11)) == nil)
        #expect(cache.expire(at: .seconds(11)).numbers == [1])
    }

    @Test func `a page that replaces an expired one while that is read goes at the end of its own lifetime`() {
        let cache = PageCache(strategy: .timeToLive(.seconds(10)))
        cache.admit(1, at: .seconds(0))
        // A reader has found the first page expired, and another thread caches the page anew before the reader looks
        // more closely.
        cache.admit(1, at: .seconds(10))
        #expect(cache.readExpired(.page(1), at: .seconds(10), touching: false) != nil)
        #expect(cache.number(at: .page(1), now: .seconds(19)) == 1)
        #expect(cache.number(at: .page(1), now: .seconds(20)) == nil)
    }

    @Test func `a lifetime of nothing removes at once`() {
        let cache = PageCache(strategy: .timeToLive(.zero))
        #expect(cache.admit(1).removed.causes == [.lifetime])
        #expect(cache.usage.pages == 0)
    }

    @Test func `the state names pinned pages first`() {
        let cache = PageCache(strategy: .lru())
        for number in 1...4 { cache.admit(number) }
        cache.pin(.page(3))
        guard case .list(let entries)? = cache.state.fields.first(where: { $0.name == "entries" })?.value,
            case .page(let first)? = entries.first?.fields.first(where: { $0.name == "page" })?.value
        else {
            Issue.record("\(cache.state)")
            return
        }
        #expect(entries.count == 4 && first == .page(3))
    }
}
