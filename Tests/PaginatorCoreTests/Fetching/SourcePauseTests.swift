import PaginatorTesting
import Testing

@testable import PaginatorCore

/// A source that says with an answer that it wants to be left alone.
@Suite struct SourcePauseTests {
    /// The first call asks for a pause and succeeds.
    private func pausingRig(_ delay: Duration, hasStore: Bool = false) -> FetchRig {
        let rig = FetchRig(hasStore: hasStore)
        rig.hangSource()
        rig.start("1")
        rig.run()
        rig.source.pendingCalls[0].request.pauseSource(for: delay)
        #expect(rig.answer("1"))
        rig.script.withLock { $0.hangs = false }
        return rig
    }

    @Test func `the next call of the source waits for the time that a success stated`() {
        let rig = pausingRig(.seconds(30))
        let caller = rig.fetch("2", timeout: .seconds(60))
        #expect(rig.source.calls.count == 1 && caller.ends == 0)
        #expect(rig.observer?.events.filter { $0.kind == .sourcePaused }.map(\.duration) == [.seconds(30)])
        let held = rig.observer?.events.filter { $0.kind == .throttled } ?? []
        #expect(held.map(\.identity) == [rig.identity("2")] && held.map(\.duration) == [.seconds(30)])
        #expect(rig.paginator.engine.scheduler.statistics.held == 1)
        #expect(rig.paginator.engine.scheduler.statistics.running == 0)
        rig.advance(.seconds(29))
        #expect(rig.source.calls.count == 1)
        rig.advance(.seconds(1))
        #expect(caller.version == 2 && caller.endedOnce)
    }

    @Test func `who has less time than the source wants to be left alone is told so at once`() {
        let rig = pausingRig(.seconds(30))
        let caller = rig.fetch("2", timeout: .seconds(10))
        #expect(caller.code == .throttled && caller.endedOnce)
        #expect(rig.paginator.engine.scheduler.statistics.held == 0)
        rig.advance(.seconds(60))
        #expect(rig.source.calls.count == 1, "nobody waits for the page any more")
        #expect(rig.paginator.engine.isIdle)
        guard case .error(let error, previous: nil)? = rig.paginator.state(of: rig.identity("2")) else {
            Issue.record("the state of the page shows no error")
            return
        }
        #expect(error.code == .throttled)
    }

    @Test func `a fetch that was to wait for a short pause ends when a longer one follows`() {
        let rig = FetchRig()
        rig.hangSource()
        for key in ["1", "2"] { rig.start(key) }
        rig.run()
        rig.source.pendingCalls[0].request.pauseSource(for: .seconds(10))
        #expect(rig.answer("1"))
        let caller = rig.fetch("3", timeout: .seconds(60))
        #expect(caller.ends == 0)
        rig.source.pendingCalls[0].request.pauseSource(for: .seconds(600))
        #expect(rig.answer("2"))
        #expect(caller.code == .throttled && caller.endedOnce)
    }

    @Test func `of several pauses the one that ends last says why`() {
        struct RateLimit: Error {}
        let rig = FetchRig()
        rig.hangSource()
        for key in ["1", "2", "3"] { rig.start(key) }
        rig.run()
        let requests = rig.source.pendingCalls.map(\.request)
        requests[0].pauseSource(for: .seconds(600), because: RateLimit())
        requests[1].pauseSource(for: .seconds(2), because: FetchRig.Outage())
        requests[2].pauseSource(for: .seconds(1))
        let caller = rig.fetch("4", timeout: .seconds(60))
        #expect(caller.code == .throttled)
        #expect(caller.listener.error?.underlying is RateLimit)
    }

    @Test func `what a store is asked for in a pause ends with what the store says, not with the time-out`() throws {
        let rig = pausingRig(.seconds(600), hasStore: true)
        let store = try #require(rig.store)
        store.seed(rig.page("2", version: 7), for: rig.identity("2"), fetchedAt: rig.clock.wallTime)
        store.holdLoads()
        let stored = rig.fetch("2", policy: .networkFirst, timeout: .seconds(60))
        let missing = rig.fetch("3", policy: .networkFirst, timeout: .seconds(60))
        #expect(stored.ends == 0 && missing.ends == 0)
        store.answerLoads()
        rig.run()
        #expect(stored.version == 7 && stored.refreshError == .throttled && stored.endedOnce)
        #expect(missing.code == .throttled && missing.endedOnce)
    }

    @Test func `memory answers in a pause`() {
        let rig = pausingRig(.seconds(30))
        let caller = rig.fetch("1")
        #expect(caller.origin == .memory && caller.version == 1)
        #expect(rig.paginator.peek(key: "1", pageSize: 10) != nil)
    }

    @Test(arguments: [nil, .cacheOnly] as [FetchPolicy?])
    func `a fetch around a page gets it from memory in a pause, although a refresh of it waits`(policy: FetchPolicy?) {
        let rig = pausingRig(.seconds(90))
        let refresh = rig.paginator.refresh(
            PageRequest(key: "1", pageSize: 10, timeout: .seconds(300)), listener: RecordingListener<SampleItem>())
        rig.run()
        let around = rig.fetchAround("1", depth: 0, policy: policy)
        #expect(around.summary?.delivered == [0] && around.endedOnce)
        #expect(around.listener.deliveries.first?.fetched.page.version == 1)
        #expect(rig.source.calls.count == 1)
        refresh.cancel()
    }

    @Test func `a pause of no time is none`() {
        let rig = pausingRig(.seconds(-5))
        #expect(rig.fetch("2").version == 2)
        #expect(rig.observer?.events.contains { $0.kind == .sourcePaused } == false)
    }

    @Test func `requests are equal whoever made them`() {
        let rig = pausingRig(.zero)
        let request = SourceRequest(identity: rig.identity("1"))
        #expect(rig.source.calls[0].request == request)
        request.pauseSource(for: .seconds(1))
    }

    @Test func `a prefetch that is to wait for an hour keeps nobody from asking`() {
        let rig = FetchRig()
        rig.hangSource()
        let ended = Guarded(false)
        rig.paginator.prefetch(PrefetchRequest(keys: ["1"], pageSize: 10)) { _ in ended.withLock { $0 = true } }
        #expect(rig.fail("1", .retry(FetchRig.Outage(), after: .seconds(3_600))))
        #expect(ended.withLock { $0 })
        rig.script.withLock { $0.hangs = false }
        rig.advance(.seconds(600))
        #expect(rig.fetch("1").version == 1)
        #expect(rig.state == FetchRig.quiet)
    }
}
