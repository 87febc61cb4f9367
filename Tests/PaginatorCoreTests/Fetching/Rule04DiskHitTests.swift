import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 4: disk hit")
struct Rule04DiskHitTests {
    private func seed(
        _ rig: FetchRig, version: Int = 70, age: Duration = .zero, lifetime: Duration? = nil,
        isInvalidated: Bool = false
    ) {
        rig.store?.seed(
            rig.page("1", version: version, lifetime: lifetime), for: rig.identity("1"),
            fetchedAt: rig.wallTime(before: age), isInvalidated: isInvalidated)
    }

    @Test func `a fresh page is answered without the source`() {
        let rig = FetchRig(hasStore: true)
        seed(rig, age: .seconds(5))
        let hit = rig.fetch("1")
        #expect(hit.version == 70)
        #expect(hit.origin == .store)
        #expect(hit.isStale == false)
        #expect(hit.listener.fetched?.age == .seconds(5))
        #expect(rig.source.calls.isEmpty)
        #expect(rig.observer?.count(of: .storeHit) == 1)
    }

    @Test func `it is promoted to memory and not saved again`() {
        let rig = FetchRig(hasStore: true)
        seed(rig)
        rig.fetch("1")
        #expect(rig.cached("1") == 70)
        #expect(rig.fetch("1").origin == .memory)
        #expect(rig.store?.calls == [.load(rig.identity("1"))])
    }

    @Test func `it is promoted with its remaining time until it is stale`() {
        let rig = FetchRig(hasStore: true)
        seed(rig, lifetime: .seconds(60))
        rig.fetch("1")
        rig.advance(.seconds(59))
        #expect(rig.fetch("1").origin == .memory)
        rig.advance(.seconds(1))
        #expect(rig.fetch("1").origin == .source)
    }

    @Test func `it is promoted with what is left of its time to live`() {
        let rig = FetchRig(hasStore: true) { $0.inMemoryEvictionStrategy = .timeToLive(.seconds(100)) }
        seed(rig, age: .seconds(60))
        rig.fetch("1")
        rig.advance(.seconds(39))
        #expect(rig.cached("1") == 70)
        rig.advance(.seconds(2))
        #expect(rig.cached("1") == nil)
    }

    @Test func `an age is never below zero`() {
        let rig = FetchRig(hasStore: true)
        seed(rig, age: .seconds(-1_000))
        #expect(rig.fetch("1", policy: .cacheOnly).listener.fetched?.age == .zero)
    }

    @Test func `a page saved before the wall clock was set back is stale and no newer than the paginator`() {
        let rig = FetchRig(hasStore: true)
        seed(rig, age: .hours(-2), lifetime: .days(1))
        rig.advance(.minutes(1))
        let stored = rig.fetch("1", policy: .cacheOnly)
        #expect(stored.version == 70 && stored.isStale == true)
        #expect(stored.listener.fetched?.age == .minutes(1))
        #expect(rig.fetch("1").version == 1)
    }

    @Test func `a small correction of the wall clock makes no page stale`() {
        let rig = FetchRig(hasStore: true)
        seed(rig, age: .seconds(-4))
        let hit = rig.fetch("1")
        #expect(hit.version == 70 && hit.isStale == false)
    }

    @Test(arguments: [true, false]) func `a stale page is a miss`(isInvalidated: Bool) {
        let rig = FetchRig(hasStore: true)
        seed(rig, lifetime: isInvalidated ? nil : .seconds(-1), isInvalidated: isInvalidated)
        let caller = rig.fetch("1")
        #expect(caller.origin == .source)
        #expect(caller.version == 1)
        #expect(rig.store?.pages[rig.identity("1")]?.page.version == 1)
        #expect(rig.store?.pages[rig.identity("1")]?.isInvalidated == false)
    }

    @Test func `a stale page stays readable`() {
        let rig = FetchRig(hasStore: true)
        seed(rig, lifetime: .seconds(-1))
        let caller = rig.fetch("1", policy: .cacheOnly)
        #expect(caller.version == 70)
        #expect(caller.isStale == true)
        #expect(rig.source.calls.isEmpty)
        #expect(rig.cached("1") == 70)
    }

    @Test func `a damaged page is reported and the fetch goes on`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.failLoads(with: PaginatorError(.storeFailed, "the checksum is wrong"))
        let caller = rig.fetch("1")
        #expect(caller.version == 1)
        #expect(caller.origin == .source)
        #expect(rig.observer?.events(of: .storeFailed).map(\.error?.code) == [.storeFailed])
        #expect(rig.store?.pages[rig.identity("1")]?.page.version == 1, "the new page takes its place")
    }

    @Test func `a page that the validator drops is removed and loaded again`() {
        let rig = FetchRig(
            hasStore: true,
            validator: .closure { page, _ in page.version == 70 ? .dropAndReload : .accept })
        seed(rig)
        #expect(rig.fetch("1").version == 1)
        let identity = rig.identity("1")
        #expect(rig.store?.calls == [.load(identity), .remove(.identity(identity)), .save(identity)])
    }

    @Test func `the store is asked once per load`() {
        let rig = FetchRig(hasStore: true)
        rig.store?.holdLoads()
        let callers = (0..<5).map { _ in rig.fetch("1") }
        #expect(callers.allSatisfy { $0.ends == 0 })
        #expect(rig.source.calls.isEmpty, "the source is asked after the store")
        rig.store?.answerLoads()
        rig.run()
        #expect(rig.store?.calls.count { $0 == .load(rig.identity("1")) } == 1)
        #expect(callers.map(\.version) == [1, 1, 1, 1, 1])
    }
}
