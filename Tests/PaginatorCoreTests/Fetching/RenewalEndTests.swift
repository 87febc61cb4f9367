import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A renewal is for the caches alone: it lasts as long as they want the page.
@Suite struct RenewalEndTests {
    /// A rig whose cached pages have expired, and are being renewed one at a time.
    private func rig(renewing keys: [String]) -> FetchRig {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.script.withLock { $0.lifetime = .seconds(10) }
        for key in keys { rig.fetch(key) }
        rig.advance(.seconds(10))
        rig.hangSource()
        for key in keys { rig.fetch(key, policy: .cacheThenRenew) }
        return rig
    }

    @Test func `a log-out ends the renewals that run and those that wait`() {
        let rig = rig(renewing: ["1", "2", "3"])
        #expect(rig.source.pendingCalls.map(\.request.key) == ["1"])
        rig.paginator.clearAll()
        rig.run()
        #expect(rig.source.pendingCalls.isEmpty && rig.source.calls.count == 4)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `who waits for the page of a renewal gets it after a clear`() {
        let rig = rig(renewing: ["1"])
        let caller = rig.fetch("1", policy: .networkOnly)
        rig.paginator.clear(key: "1")
        rig.answer("1")
        #expect(caller.version == 2 && rig.cached("1") == nil)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test(arguments: ["1", "2"]) func `a renewal from before an invalidation brings a newer page`(key: String) {
        let rig = rig(renewing: ["1", "2"])
        rig.paginator.invalidate(.key(key))
        rig.run()
        #expect(rig.source.pendingCalls.count == 1, "no call goes on in vain")
        for _ in 0..<2 { for key in ["1", "2"] { rig.answer(key) } }
        #expect([rig.cached("1"), rig.cached("2")].allSatisfy { $0 ?? 0 > 2 })
        #expect(rig.paginator.peek(key: key, pageSize: 10)?.isStale == false)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `a refresh takes the renewal over`() {
        let rig = rig(renewing: ["1"])
        let refresh = rig.refresh("1")
        #expect(rig.source.pendingCalls.count == 1 && rig.source.calls.count == 3)
        refresh.execution.cancel()
        rig.answer("1")
        #expect(rig.cached("1") == 2, "the renewal is still wanted")
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `a page that is put needs no renewal of the one before it`() throws {
        let rig = rig(renewing: ["1"])
        try rig.paginator.prime(rig.page("1", version: 50), pageSize: 10)
        rig.run()
        #expect(rig.source.pendingCalls.isEmpty && rig.cached("1") == 50)
        #expect(rig.state == FetchRig.quiet)
    }
}
