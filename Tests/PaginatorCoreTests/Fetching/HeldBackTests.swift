import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What conditions hold back waits, for as long as they last; who waits for a page is not held back.
@Suite struct HeldBackTests {
    /// A fetch around page 1 that has handed page 2 to the scheduler as its neighbor.
    private func around() -> MachineScript {
        let script = MachineScript()
        let page = PageRequest(key: "1", pageSize: 10, policy: .networkOnly)
        script.feed(
            .fetchAround(script.ticket(), AroundRequest(page: page, depthLevel: 1, direction: .forward)))
        script.feed(.neighborKeys(1, forward: ["2"], backward: []))
        return script
    }

    @Test func `who joins a page before its look ahead is held back gets it`() {
        let script = around()
        script.fetch("2", policy: .networkOnly)
        #expect(script.feed(.refused(script.tasks[1], .heldBack)) == .did(["submit t3 medium"]))
        script.start()
        script.answer(.success(script.page(2)), key: "2")
        #expect(script.judge() == .did(["admit 2 2", "post #2 page 2"]))
    }

    @Test func `who joins a page after its look ahead was held back gets it`() {
        let script = around()
        script.feed(.refused(script.tasks[1], .heldBack))
        script.fetch("2", policy: .networkOnly)
        #expect(script.decide(.serveCached) == .did(["submit t3 medium"]))
    }

    @Test func `a neighbor is held back, and a prefetch of the same page waits`() {
        let rig = FetchRig()
        rig.connectivity.set(.lowPower)
        rig.paginator.prefetch(keys: ["51"], pageSize: 10)
        rig.run()
        let around = rig.fetchAround("50", depth: 1, direction: .forward)
        #expect(around.distances == [0])
        #expect(around.summary?.failures[1]?.code == .heldBack)
        rig.connectivity.set([])
        rig.run()
        #expect(rig.source.keys == ["50", "51"])
    }

    @Test func `without a connection a fetch fails, and a prefetch of the same page waits`() {
        let rig = FetchRig()
        rig.connectivity.set(.offline)
        rig.paginator.prefetch(keys: ["7"], pageSize: 10)
        let fetch = rig.fetch("7")
        #expect(fetch.code == .offline)
        #expect(rig.source.calls.isEmpty)
        rig.connectivity.set([])
        rig.run()
        #expect(rig.source.keys == ["7"])
    }

    @Test(arguments: [false, true])
    func `attempts that a lost connection cuts off do not count toward the limit`(hangs: Bool) {
        let limits = Guarded<[Int]>([])
        let rig = FetchRig {
            $0.errorStrategy = ErrorStrategy { failure in
                limits.withLock { $0.append(failure.maxAttempts) }
                return ErrorStrategy.standard.decide(failure)
            }
        }
        rig.hangSource()
        rig.paginator.prefetch(keys: ["7"], pageSize: 10)
        for _ in 0..<5 {
            rig.run()
            rig.connectivity.set(.offline)
            if hangs { rig.advance(.seconds(30)) } else { rig.fail("7", .retry(FetchRig.Outage())) }
            rig.connectivity.set([])
            rig.run()
        }
        // With a connection, three more are made.
        for _ in 0..<5 {
            rig.fail("7", .retry(FetchRig.Outage()))
            rig.advance(.seconds(10))
        }
        #expect(rig.source.calls.map(\.request.attempt) == Array(1...8))
        #expect(limits.withLock { $0 } == [4, 5, 6, 7, 8, 8, 8, 8])
        #expect(rig.paginator.engine.isIdle)
    }

    /// A prefetch of each page that waits for the scheduler.
    private func prefetch(_ keys: [String], limit: Int = 10) -> MachineScript {
        let script = MachineScript { $0.waitingPrefetches = limit }
        for key in keys {
            script.prefetch(key, as: script.ticket())
            script.look(.miss)
        }
        return script
    }

    @Test func `no time runs for a prefetch that waits, and it runs when the page is loaded`() {
        let script = prefetch(["1"])
        #expect(script.machine.nextDeadline == nil)
        #expect(script.pass(.days(1)) == .nothing)
        script.start()
        script.answer(MachineScript.outage)
        script.decide(.retry)
        #expect(script.machine.nextDeadline == nil, "also before another attempt")
        script.pass(.days(1))
        script.start()
        script.answer(.success(script.page()))
        #expect(script.judge() == .did(["admit 1 1", "post #1 prefetched 1"]))
        #expect(script.isQuiet)
    }

    @Test func `no time runs either for a prefetch that joins one that waits`() {
        let rig = FetchRig()
        rig.connectivity.set(.lowPower)
        let told = Guarded<[PrefetchSummary]>([])
        for _ in 0..<2 {
            rig.paginator.prefetch(PrefetchRequest(keys: ["7"], pageSize: 10)) { summary in
                told.withLock { $0.append(summary) }
            }
            rig.advance(.days(1))
        }
        #expect(told.withLock { $0.isEmpty })
        rig.connectivity.set([])
        rig.run()
        #expect(told.withLock { $0.map(\.loaded) } == [[rig.identity("7")], [rig.identity("7")]])
        #expect(rig.source.keys == ["7"])
    }

    @Test func `a prefetch that waits can be cancelled`() {
        let script = prefetch([])
        let ticket = script.ticket()
        script.prefetch("1", as: ticket)
        script.look(.miss)
        #expect(
            script.feed(.cancel(ticket))
                == .did(["withdraw t1", "post #1 prefetched nothing, unfinished 1", "post #1 cancelled"]))
        #expect(script.isQuiet)
    }

    @Test(arguments: [PageSelection.all, .key("1"), .scope("")])
    func `a clear takes away the prefetch of what it clears`(selection: PageSelection) {
        let script = prefetch(["1"])
        #expect(script.feed(.clear(selection)).ordered.first == "withdraw t1")
        #expect(script.isQuiet)
    }

    @Test func `a release takes away what waits`() {
        let script = prefetch(["1", "2"])
        script.feed(.release)
        #expect(script.machine.isIdle == true)
        #expect(script.machine.nextDeadline == nil)
    }

    @Test func `an invalidated page that is prefetched is still loaded for the caches`() {
        let script = prefetch(["1"])
        let outcome = script.feed(.invalidate(.selected(.all)))
        #expect(!outcome.ordered.contains("withdraw t1"), "it has not asked the source yet")
        script.start()
        script.answer(.success(script.page()))
        #expect(script.judge() == .did(["admit 1 1", "post #1 prefetched 1"]))
        #expect(script.isQuiet)
    }

    @Test func `of too many prefetches that wait the oldest go`() {
        let script = prefetch(["1", "2", "3", "4"], limit: 3)
        #expect(Set(script.machine.loads.values.map(\.identity)) == Set(["2", "3", "4"].map { script.identity($0) }))
        #expect(script.machine.invariantViolations().isEmpty)
        #expect(script.posts == ["post #1 prefetched nothing, unfinished 1"])
        let others = prefetch(["1", "2", "3"], limit: 3)
        #expect(others.machine.loads.count == 3)
    }

    @Test func `a prefetch that was cancelled does not count among those that wait`() {
        let script = prefetch(["1"], limit: 2)
        script.pass(.seconds(1))
        let cancelled = script.ticket()
        script.prefetch("2", as: cancelled)
        script.look(.miss)
        script.feed(.cancel(cancelled))
        script.pass(.seconds(1))
        script.prefetch("3", as: script.ticket())
        script.look(.miss)
        #expect(Set(script.machine.loads.values.map(\.identity)) == Set(["1", "3"].map { script.identity($0) }))
        #expect(script.posts == ["post #2 prefetched nothing, unfinished 2", "post #2 cancelled"])
    }
}
