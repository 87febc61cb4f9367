import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A store that takes reads and never answers them.
@Suite struct SilentStoreTests {
    private func rig(_ configure: (inout PaginatorConfig) -> Void = { _ in }) throws -> FetchRig {
        let rig = FetchRig(hasStore: true, configure)
        try #require(rig.store).holdLoads()
        return rig
    }

    @Test func `the page comes from the source, and the store's silence is reported`() throws {
        let rig = try rig()
        let caller = rig.fetch("1")
        #expect(rig.source.calls.isEmpty)
        rig.advance(.seconds(10))
        #expect(caller.version == 1)
        #expect(caller.endedOnce)
        #expect(rig.observer?.events(of: .storeFailed).first?.error?.code == .storeFailed)
        #expect(rig.observer?.count(of: .storeFailed) == 1)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `a caller who takes only cached pages is told in time that there is none`() throws {
        let rig = try rig()
        let caller = rig.fetch("1", policy: .cacheOnly)
        rig.advance(.seconds(10))
        #expect(caller.code == .notInCache)
    }

    @Test func `a failure of the source does not wait for the store for ever`() throws {
        let rig = try rig()
        rig.failSource(.fatal(FetchRig.Outage()))
        let caller = rig.fetch("1", policy: .networkFirst(fallbackAfter: nil))
        rig.advance(.seconds(10))
        #expect(caller.code == .sourceFailed)
    }

    @Test func `an answer that comes too late changes nothing`() throws {
        let rig = try rig()
        let store = try #require(rig.store)
        store.seed(rig.page("1", version: 77), for: rig.identity("1"), fetchedAt: rig.clock.wallTime)
        let caller = rig.fetch("1")
        rig.advance(.seconds(10))
        #expect(caller.version == 1)
        store.answerLoads()
        rig.run()
        #expect(rig.cached("1") == 1)
        #expect(caller.endedOnce)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `a refresh and a cancel leave no deadline of the store behind`() throws {
        let rig = try rig()
        let caller = rig.fetch("1")
        caller.execution.cancel()
        rig.run()
        let cleared = rig.fetch("2")
        rig.paginator.clearAll()
        rig.run()
        #expect(cleared.version == 1)
        rig.advance(.seconds(60))
        #expect(rig.observer?.count(of: .storeFailed) == 0)
        #expect(rig.state == FetchRig.quiet)
    }
}
