import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Rule 7: late answers")
struct Rule07LateAnswersTests {
    /// A call that begins a new epoch of page 1.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The version in memory right after it, when 1 was cached before.
        let leaves: Int?
        let make: @Sendable (FetchRig) throws -> Void
    }

    static let changes: [Change] = [
        Change(testDescription: "clear(key:)", leaves: nil) { $0.paginator.clear(key: "1") },
        Change(testDescription: "clear(scope:)", leaves: nil) { $0.paginator.clear(scope: "") },
        Change(testDescription: "clearAll", leaves: nil) { $0.paginator.clearAll() },
        Change(testDescription: "invalidate", leaves: 1) { $0.paginator.invalidate(.key("1")) },
        Change(testDescription: "put", leaves: 50) {
            try $0.paginator.prime($0.page("1", version: 50), pageSize: 10)
        },
        Change(testDescription: "refresh", leaves: 1) { $0.refresh("1").execution.cancel() },
    ]

    @Test(arguments: changes) func `earlier waiters get their answer and it is not cached`(_ change: Change) throws {
        let rig = FetchRig(hasStore: true)
        rig.fetch("1")
        rig.hangSource()
        let earlier = rig.fetch("1", policy: .networkOnly)
        let joined = rig.fetch("1", policy: .networkOnly)
        try change.make(rig)
        #expect(rig.cached("1") == change.leaves, "memory has changed when the call returns")
        rig.run()
        let saved = rig.store?.pages[rig.identity("1")]?.page.version
        rig.answer("1")
        #expect([earlier, joined].map(\.version) == [2, 2])
        #expect(rig.cached("1") == change.leaves)
        #expect(rig.store?.pages[rig.identity("1")]?.page.version == saved)
        #expect(saved == change.leaves)
    }

    @Test(arguments: changes) func `later callers start a new load`(_ change: Change) throws {
        let rig = FetchRig(hasStore: true)
        rig.hangSource()
        let earlier = rig.fetch("1", policy: .networkOnly)
        try change.make(rig)
        rig.run()
        let later = rig.fetch("1", policy: .networkOnly)
        #expect(rig.source.pendingCalls.count == 2)
        // The new load answers first; the old answer comes late and changes nothing.
        let old = rig.source.pendingCalls[0]
        let new = rig.source.pendingCalls[1]
        rig.source.answer(new, with: .success(rig.page("1", version: 20)))
        rig.run()
        #expect(later.version == 20)
        #expect(earlier.ends == 0)
        rig.source.answer(old, with: .success(rig.page("1", version: 10)))
        rig.run()
        #expect(earlier.version == 10)
        #expect(rig.cached("1") == 20)
        #expect(rig.store?.pages[rig.identity("1")]?.page.version == 20)
        #expect(rig.paginator.counters[.lateAnswer] == 0)
    }

    @Test func `a change of one page leaves others alone`() throws {
        let rig = FetchRig()
        rig.hangSource()
        let other = rig.fetch("2")
        let scoped = rig.fetch("1", scope: "mine")
        rig.paginator.invalidate(.identity(rig.identity("1")))
        rig.paginator.clear(scope: "yours")
        try rig.paginator.prime(rig.page("1", version: 50), pageSize: 10)
        rig.refresh("1")
        rig.answer("2")
        rig.answer("1")
        #expect([other, scoped].map(\.ends) == [1, 1])
        #expect(rig.cached("2") == 1)
        #expect(rig.cached("1", scope: "mine") == 2)
    }

    @Test func `a store read that straddles a clear is a miss`() {
        let rig = FetchRig(hasStore: true)
        let identity = rig.identity("1")
        rig.store?.seed(rig.page("1", version: 70), for: identity, fetchedAt: rig.clock.wallTime)
        rig.store?.holdLoads()
        rig.hangSource()
        let cacheFirst = rig.fetch("1")
        let cacheOnly = rig.fetch("1", policy: .cacheOnly)
        #expect(rig.store?.calls == [.load(identity)])
        rig.paginator.clear(key: "1")
        rig.run()
        #expect(cacheOnly.code == .notInCache, "it need not wait for the read")
        rig.store?.answerLoads()
        rig.run()
        #expect(cacheFirst.ends == 0)
        #expect(rig.cached("1") == nil)
        rig.answer("1")
        #expect(cacheFirst.version == 1)
        #expect(cacheFirst.origin == .source)
        #expect(rig.cached("1") == nil)
        #expect(rig.store?.pages.isEmpty == true)
    }

    @Test func `a store read that straddles a put is not promoted`() throws {
        let rig = FetchRig(hasStore: true)
        rig.store?.seed(rig.page("1", version: 70), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        rig.store?.holdLoads()
        let caller = rig.fetch("1")
        try rig.paginator.prime(rig.page("1", version: 50), pageSize: 10)
        rig.store?.answerLoads()
        rig.run()
        #expect(caller.endedOnce)
        #expect(rig.cached("1") == 50)
    }

    @Test func `a page that was cleared is no fallback for one who debounces`() {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .seconds(1) }
        rig.fetch("1")
        rig.advance(.seconds(2))
        let caller = rig.fetch("1", debounce: DebounceKey("search", delay: .seconds(1)))
        rig.paginator.clearAll()
        rig.failSource(.fatal(FetchRig.Outage()))
        rig.advance(.seconds(1))
        #expect(caller.code == .sourceFailed)
    }

    @Test func `a page that was cleared is no fallback for one who waits`() {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .seconds(1) }
        rig.fetch("1")
        rig.advance(.seconds(2))
        rig.hangSource()
        let caller = rig.fetch("1")
        rig.paginator.clear(key: "1")
        rig.fail("1")
        #expect(caller.code == .sourceFailed)
    }

    @Test func `a refresh keeps the old page until the new one has come`() {
        let rig = FetchRig()
        rig.fetch("1")
        rig.hangSource()
        let refresh = rig.refresh("1")
        #expect(rig.cached("1") == 1)
        #expect(rig.fetch("1").version == 1, "the old page is fresh still")
        rig.answer("1")
        #expect(refresh.version == 2)
        #expect(rig.cached("1") == 2)
    }

    @Test func `a refresh that fails keeps the old page`() {
        let rig = FetchRig()
        rig.fetch("1")
        rig.failSource(.fatal(FetchRig.Outage()))
        #expect(rig.refresh("1").code == .sourceFailed)
        #expect(rig.cached("1") == 1)
    }

    @Test func `a refresh joins a load that has not asked yet`() {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("0")
        let waiting = rig.fetch("1")
        let refresh = rig.refresh("1")
        rig.answer("0")
        rig.answer("1")
        #expect([waiting, refresh].map(\.version) == [2, 2])
        #expect(rig.cached("1") == 2)
        #expect(rig.source.calls.count == 2)
    }

    @Test func `an invalidation leaves a load alone that has not asked yet, and its page is fresh`() {
        let rig = FetchRig(hasStore: true) { $0.maxParallelCalls = 1 }
        rig.hangSource()
        rig.fetch("0")
        let waiting = rig.fetch("1")
        rig.paginator.invalidate(.key("1"))
        let later = rig.fetch("1")
        rig.answer("0")
        rig.answer("1")
        #expect([waiting, later].map(\.version) == [2, 2])
        #expect([waiting, later].map(\.isStale) == [false, false])
        #expect(rig.cached("1") == 2)
        #expect(rig.store?.pages[rig.identity("1")]?.page.version == 2)
        #expect(rig.source.calls.count == 2)
    }

    @Test(arguments: [false, true])
    func `an invalidation leaves a refresh alone that has not asked yet, and later callers share its page`(
        isRefresh: Bool
    ) {
        let rig = FetchRig(hasStore: true) { $0.maxParallelCalls = 1 }
        rig.fetch("1")
        rig.hangSource()
        rig.fetch("0")
        let waiting = isRefresh ? rig.refresh("1") : rig.fetch("1", policy: .networkOnly)
        rig.paginator.invalidate(.key("1"))
        let later = rig.fetch("1")
        rig.answer("0")
        rig.answer("1")
        #expect([waiting, later].map(\.version) == [3, 3])
        #expect([waiting, later].map(\.isStale) == [false, false])
        #expect(rig.cached("1") == 3)
        #expect(rig.source.calls.count == 3)
    }

    @Test func `a load that waits to try again answers its callers after an invalidation, and is not cached`() {
        let rig = FetchRig(hasStore: true) { $0.scheduling.backoffBase = .seconds(1) }
        rig.hangSource()
        let earlier = rig.fetch("1")
        rig.fail("1", .retry(FetchRig.Outage()))
        rig.paginator.invalidate(.key("1"))
        let later = rig.fetch("1")
        rig.answer("1")
        #expect(later.version == 1 && earlier.ends == 0)
        rig.advance(.seconds(5))
        rig.answer("1")
        #expect(earlier.version == 2)
        #expect(rig.cached("1") == 1)
        #expect(rig.store?.pages[rig.identity("1")]?.page.version == 1)
    }

    @Test func `a page that is read from the store during an invalidation answers earlier callers only`() throws {
        let rig = FetchRig(hasStore: true)
        let store = try #require(rig.store)
        store.seed(rig.page("1", version: 77), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        store.holdLoads()
        let earlier = rig.fetch("1")
        rig.paginator.invalidate(.key("1"))
        let later = rig.fetch("1")
        store.answerLoads()
        rig.run()
        #expect([earlier, later].map(\.version) == [77, 1])
        #expect(later.isStale == false)
        #expect(rig.cached("1") == 1)
    }

    @Test func `a lookup in memory that began before an invalidation answers earlier callers only`() {
        let script = MachineScript()
        script.fetch()
        let look = script.looks[0]
        script.feed(.invalidate(.selected(.all)))
        #expect(script.fetch() == .did(then: ["look 1"]))
        let found = script.page(7, origin: .memory)
        #expect(script.feed(.looked(look, .fresh(found))) == .did(["post #1 page 7"]))
        script.look(.miss)
        script.start()
        script.answer(.success(script.page()))
        #expect(script.judge() == .did(["admit 1 1", "post #2 page 1"]))
        #expect(script.isQuiet)
    }

    @Test func `the store follows in the order decided`() throws {
        let rig = FetchRig(hasStore: true)
        let identity = rig.identity("1")
        rig.hangSource()
        let caller = rig.fetch("1")
        let call = rig.source.calls[0]
        // All decided before the store is called for the first of them.
        rig.source.answer(call, with: .success(rig.page("1", version: 1)))
        rig.paginator.clear(key: "1")
        try rig.paginator.prime(rig.page("1", version: 50), pageSize: 10)
        rig.paginator.invalidate(.identity(identity))
        rig.run()
        #expect(caller.version == 1)
        #expect(
            rig.store?.calls.dropFirst() == [
                .save(identity), .remove(.key("1")), .save(identity), .invalidate(.identity(identity)),
            ])
    }
}
