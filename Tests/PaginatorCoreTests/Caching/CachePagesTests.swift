import Testing

@testable import PaginatorCore

@Suite struct CachePagesTests {
    @Test func `a page is read until it is removed`() {
        let cache = PageCache(strategy: .lru(maxPages: 10))
        cache.admit(1)
        #expect(cache.number(at: .page(1)) == 1)
        #expect(cache.number(at: .page(2)) == nil)
        let removed = cache.remove(.identity(.page(1)), because: .cleared)
        #expect(removed.numbers == [1])
        #expect(removed.causes == [.cleared])
        #expect(cache.number(at: .page(1)) == nil)
        #expect(cache.usage == PageUsage())
    }

    @Test func `reads keep a page and peeks do not`() {
        let cache = PageCache(strategy: .lru(maxPages: 2))
        cache.admit(1)
        cache.admit(2)
        _ = cache.read(.page(1), at: .zero, touching: false)
        #expect(cache.admit(3).removed.numbers == [1])
        _ = cache.read(.page(2), at: .zero, touching: true)
        #expect(cache.admit(4).removed.numbers == [3])
    }

    @Test func `a new page replaces the old one of its identity`() {
        let cache = PageCache(strategy: .lru(maxBytes: 100))
        cache.admit(1, bytes: 60)
        let (isAdmitted, removed) = cache.admit(1, bytes: 90)
        #expect(isAdmitted)
        #expect(removed.causes == [.replaced])
        #expect(cache.usage == PageUsage(pages: 1, items: 1, bytes: 90))
    }

    @Test func `LIFO keeps a first page that is loaded again, as often as that is`() {
        let cache = PageCache(strategy: .lifo(maxPages: 3))
        for page in 1...3 { cache.admit(page) }
        for page in 4...6 {
            #expect(cache.admit(1).removed.causes == [.replaced])
            cache.admit(page)
        }
        #expect(cache.numbers == [1, 2, 6])
    }

    @Test func `a page over the whole limit empties nothing`() {
        let cache = PageCache(strategy: .lru(maxBytes: 100))
        cache.admit(1, bytes: 50)
        cache.admit(2, bytes: 50)
        let (isAdmitted, removed) = cache.admit(3, bytes: 101)
        #expect(!isAdmitted)
        #expect(removed.isEmpty)
        #expect(cache.numbers == [1, 2])
    }

    @Test func `an old page leaves though its successor is too large`() {
        let cache = PageCache(strategy: .lru(maxBytes: 100))
        cache.admit(1, bytes: 50)
        cache.admit(2, bytes: 50)
        let (isAdmitted, removed) = cache.admit(1, bytes: 101)
        #expect(!isAdmitted)
        #expect(removed.causes == [.replaced])
        #expect(cache.numbers == [2])
    }

    @Test func `a key and a scope are removed whole`() {
        let cache = PageCache(strategy: .lru())
        for scope in ["", "mine", "yours"] {
            for number in 1...3 { cache.admit(number, scope: scope) }
        }
        #expect(cache.remove(.key("page-2"), because: .cleared).numbers == [2, 2, 2])
        #expect(cache.remove(.scope("mine"), because: .cleared).numbers.sorted() == [1, 3])
        #expect(
            Set(cache.identities(in: .all)) == [.page(1), .page(3), .page(1, scope: "yours"), .page(3, scope: "yours")])
        #expect(cache.remove(.key("page-2"), because: .cleared).isEmpty)
        #expect(cache.remove(.all, because: .cleared).count == 4)
        #expect(cache.usage == PageUsage())
    }

    @Test func `only the object meant is removed`() throws {
        let cache = PageCache(strategy: .lru())
        cache.admit(1)
        let old = try #require(cache.read(.page(1), at: .zero, touching: false)).object
        cache.admit(1)
        #expect(cache.remove(.page(1), ifObject: old, because: .rejected).isEmpty)
        let new = try #require(cache.read(.page(1), at: .zero, touching: false)).object
        #expect(cache.remove(.page(1), ifObject: new, because: .rejected).causes == [.rejected])
    }

    @Test func `invalid pages stay readable`() throws {
        let cache = PageCache(strategy: .lru())
        cache.admit(1)
        cache.admit(1, scope: "other")
        cache.invalidate(.scope("other"))
        #expect(try #require(cache.read(.page(1), at: .zero, touching: true)).isInvalidated == false)
        #expect(try #require(cache.read(.page(1, scope: "other"), at: .zero, touching: true)).isInvalidated)
    }

    @Test func `trimming keeps the fraction that was read last`() {
        let cache = PageCache(strategy: .lru(maxPages: 100))
        for number in 1...10 { cache.admit(number) }
        #expect(cache.pin(.page(2)))
        _ = cache.read(.page(1), at: .zero, touching: true)
        let removed = cache.trim(toFraction: 0.4)
        #expect(removed.numbers == [3, 4, 5, 6, 7, 8])
        #expect(removed.causes.allSatisfy { $0 == .trimmed })
        #expect(cache.numbers == [1, 2, 9, 10])
        #expect(cache.trim(toFraction: .nan).isEmpty)
        #expect(cache.trim(toFraction: 7).isEmpty)
        #expect(cache.trim(toFraction: -1).numbers == [9, 10, 1])
        #expect(cache.numbers == [2])
    }

    @Test func `colliding hashes and many pages are told apart`() {
        let cache = PageCache(strategy: .lru(maxPages: 3_000))
        for number in 0..<10_000 { cache.admit(number, scope: "scope-\(number % 7)") }
        #expect(cache.usage.pages == 3_000)
        for number in 0..<10_000 {
            #expect(cache.number(at: .page(number, scope: "scope-\(number % 7)")) == (number < 7_000 ? nil : number))
        }
        #expect(cache.remove(.scope("scope-3"), because: .cleared).count == (7_000..<10_000).count { $0 % 7 == 3 })
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `pages whose hashes are equal are told apart, in whatever order they leave and return`(_ order: [Int]) {
        // A factor that is 0 at this size makes all hashes equal.
        let size = Int(truncatingIfNeeded: 0xe703_7ed1_a0b4_28db as UInt64)
        let identities = (0..<3).map { PageIdentity(key: "key-\($0)", pageSize: size) }
        #expect(Set(identities.map(\.stableHash)).count == 1 && Set(identities).count == 3)
        let cache = PageCache(strategy: .lru(maxPages: 3))
        let facts = PageFacts(bytes: 1, items: 1, keyHash: identities[0].stableHash)
        func admit(_ number: Int) { _ = cache.admit(identities[number], .of(Numbered(number), facts), at: .zero) }
        func shown() -> [Int?] { identities.map { cache.number(at: $0) } }
        for number in 0..<3 { admit(number) }
        #expect(shown() == [0, 1, 2])
        var left: [Int?] = [0, 1, 2]
        for number in order {
            #expect(cache.remove(.identity(identities[number]), because: .cleared).count == 1)
            left[number] = nil
            #expect(shown() == left && cache.invariantViolations() == [])
        }
        for number in order {
            admit(number)
            left[number] = number
            #expect(shown() == left && cache.invariantViolations() == [])
        }
        admit(1)
        #expect(shown() == [0, 1, 2] && cache.usage.pages == 3)
    }

    @Test func `pages are released outside the lock`() {
        let cache = PageCache(strategy: .lru(maxPages: 1))
        let facts = PageFacts(bytes: 1, items: 1, keyHash: 1)
        let value = Numbered(1, onDeinit: { [weak cache] in _ = cache?.usage })
        _ = cache.admit(.page(1), .of(value, facts), at: .zero)
        cache.admit(2)
        #expect(cache.numbers == [2])
    }

    @Test func `a cache releases its pages`() {
        weak var page: Numbered?
        do {
            let cache = PageCache(strategy: .adaptive(maxPages: 10))
            let value = Numbered(1)
            page = value
            let facts = PageFacts(bytes: 1, items: 1, keyHash: 1)
            _ = cache.admit(.page(1), .of(value, facts), at: .zero)
        }
        #expect(page == nil)
    }
}
