import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 3: memory hit")
struct Rule03MemoryHitTests {
    @Test(arguments: [true, false]) func `a fresh page is answered without store or source`(isObserved: Bool) {
        let rig = FetchRig(hasStore: true, isObserved: isObserved)
        let first = rig.fetch("1")
        let storeCalls = rig.store?.calls
        for policy: FetchPolicy in [.cacheFirst, .cacheOnly, .staleWhileRevalidate] {
            rig.advance(.seconds(1))
            let hit = rig.fetch("1", policy: policy)
            #expect(hit.origin == .memory)
            #expect(hit.isStale == false)
            #expect(hit.listener.page === first.listener.page)
            #expect(hit.previews == [])
        }
        #expect(rig.fetch("1").listener.fetched?.age == .seconds(3))
        #expect(rig.source.calls.count == 1)
        #expect(rig.store?.calls == storeCalls)
        #expect(rig.paginator.counters[.memoryHit] == 4)
    }

    @Test func `an accepted page is answered with a validator too`() {
        let judged = Guarded<[PageOrigin]>([])
        let rig = FetchRig(
            hasStore: true,
            validator: .closure { _, context in
                judged.withLock { $0.append(context.origin) }
                return .accept
            })
        rig.fetch("1")
        let storeCalls = rig.store?.calls
        #expect(rig.fetch("1").origin == .memory)
        #expect(rig.store?.calls == storeCalls)
        #expect(judged.withLock { $0 } == [.source, .memory])
    }

    @Test func `observers hear of a page from memory as they do of any other`() throws {
        let rig = FetchRig()
        rig.fetch("1")
        rig.fetch("1")
        let observer = try #require(rig.observer)
        #expect(observer.count(of: .fetchStarted) == 2)
        #expect(observer.events(of: .memoryHit).map(\.identity) == [rig.identity("1")])
        #expect(observer.events(of: .fetchEnded).map(\.origin) == [.source, .memory])
    }

    @Test(arguments: [true, false])
    func `a page from memory takes the place of a fetch that waits with the same debounce key`(isObserved: Bool) {
        let rig = FetchRig(isObserved: isObserved)
        rig.fetch("1")
        let key = DebounceKey("search", delay: .seconds(1))
        let earlier = rig.fetch("2", debounce: key)
        #expect(earlier.ends == 0)
        #expect(rig.fetch("1", debounce: key).origin == .memory)
        #expect(earlier.code == .superseded && earlier.endedOnce)
        rig.advance(.seconds(1))
        #expect(rig.source.keys == ["1"])
    }

    @Test func `peek and with page answer with no hop`() {
        let rig = FetchRig(hasStore: true)
        let page = rig.fetch("1").listener.page
        let events = rig.observer?.events.count
        let storeCalls = rig.store?.calls
        let peeked = rig.paginator.peek(key: "1", pageSize: 10)
        #expect(peeked?.page === page)
        #expect(peeked?.origin == .memory)
        #expect(rig.paginator.withPage(key: "1", pageSize: 10) { $0.content.count } == 1)
        #expect(rig.work.count == 0)
        #expect(rig.callbacks.count == 0)
        #expect(rig.observer?.events.count == events)
        #expect(rig.store?.calls == storeCalls)
        #expect(rig.source.calls.count == 1)
    }

    @Test func `peek and with page load nothing`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.seed(rig.page("1", version: 7), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        #expect(rig.paginator.peek(key: "1", pageSize: 10) == nil)
        #expect(rig.paginator.withPage(key: "1", pageSize: 10) { _ in 1 } == nil)
        rig.run()
        #expect(rig.store?.calls == [])
        #expect(rig.source.calls.isEmpty)
    }

    @Test func `with page throws what its body throws`() {
        struct Refusal: Error {}
        let rig = FetchRig()
        rig.fetch("1")
        #expect(throws: Refusal.self) {
            try rig.paginator.withPage(key: "1", pageSize: 10) { _ throws(Refusal) in throw Refusal() }
        }
    }

    @Test func `with page counts as a use and peek does not`() {
        let rig = FetchRig { $0.inMemoryEvictionStrategy = .lru(maxPages: 2) }
        rig.fetch("1")
        rig.fetch("2")
        _ = rig.paginator.peek(key: "1", pageSize: 10)
        rig.fetch("3")
        #expect(rig.cached("1") == nil)
        _ = rig.paginator.withPage(key: "2", pageSize: 10) { _ in }
        rig.fetch("4")
        #expect(rig.cached("2") == 2)
        #expect(rig.cached("3") == nil)
    }

    @Test(arguments: [PageVerdict.dropAndReload, .fail(reason: "unsigned")])
    func `what the validator does not accept is not shown by with page`(verdict: PageVerdict) {
        let rig = FetchRig(validator: .closure { _, context in context.origin == .memory ? verdict : .accept })
        rig.fetch("1")
        #expect(rig.paginator.withPage(key: "1", pageSize: 10) { _ in 1 } == nil)
        #expect(rig.cached("1") == 1, "peek asks no validator")
    }

    @Test func `a stale page is no hit`() {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .seconds(10) }
        rig.fetch("1")
        rig.advance(.seconds(10))
        #expect(rig.fetch("1").version == 2)
    }
}
