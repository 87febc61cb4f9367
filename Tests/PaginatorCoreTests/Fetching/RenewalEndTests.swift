import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A renewal is for the caches alone: it lasts as long as they want the page, and ends with its epoch.
@Suite struct RenewalEndTests {
    /// A rig whose cached pages have expired, and are being renewed one at a time: each was wanted ahead, then by a
    /// caller.
    private func rig(renewing keys: [String]) -> FetchRig {
        let rig = FetchRig { $0.maxParallelCalls = 1 }
        rig.script.withLock { $0.lifetime = .seconds(10) }
        for key in keys { rig.fetch(key) }
        rig.advance(.seconds(10))
        rig.hangSource()
        for key in keys {
            var ahead = PageRequest(key: key, pageSize: 10, policy: .cacheThenRenew)
            ahead.isAhead = true
            rig.paginator.fetch(ahead, listener: RecordingListener<SampleItem>())
            rig.run()
            rig.fetch(key, policy: .cacheThenRenew)
        }
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

    @Test(arguments: ["1", "2"])
    func `an invalidation ends the renewal, and the next fetch brings the new page`(key: String) {
        let rig = rig(renewing: ["1", "2"])
        let other = key == "1" ? "2" : "1"
        rig.paginator.invalidate(.key(key))
        rig.run()
        #expect(rig.source.pendingCalls.map(\.request.key) == [other], "no call goes on in vain")
        rig.answer(other)
        #expect(rig.state == FetchRig.quiet)
        let caller = rig.fetch(key, policy: .cacheThenRenew)
        rig.answer(key)
        #expect(caller.version == 4 && caller.isStale == false && caller.endedOnce)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `invalidations alone do not call the source again`() {
        let rig = rig(renewing: ["1", "2"])
        for _ in 0..<3 {
            rig.paginator.invalidate(.all)
            rig.run()
        }
        #expect(rig.source.pendingCalls.isEmpty && rig.source.calls.count == 3)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `an invalidation ends a renewal that waits after its page was read from the store`() {
        let rig = FetchRig(hasStore: true) { $0.maxParallelCalls = 1 }
        rig.script.withLock { $0.lifetime = .seconds(10) }
        rig.fetch("1")
        rig.advance(.seconds(10))
        rig.paginator.trim(toFraction: 0)
        rig.hangSource()
        rig.fetch("0")
        #expect(rig.fetch("1", policy: .cacheThenRenew).origin == .store)
        rig.paginator.invalidate(.key("1"))
        rig.answer("0")
        #expect(rig.source.pendingCalls.isEmpty && rig.source.calls.count == 2)
        #expect(rig.state == FetchRig.quiet)
    }

    @Test func `a refresh takes the place of the renewal`() {
        let rig = rig(renewing: ["1"])
        let refresh = rig.refresh("1")
        #expect(rig.source.pendingCalls.count == 1 && rig.source.calls.count == 3)
        refresh.execution.cancel()
        rig.run()
        #expect(rig.source.pendingCalls.isEmpty && rig.cached("1") == 1, "nobody waits for the page any more")
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
