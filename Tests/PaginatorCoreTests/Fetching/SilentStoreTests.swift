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

    @Test func `a flush, a clear and a shutdown that the store never answers end in time`() {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let plan = FaultPlan { operation, _ in operation == .flush ? .hang : .none }
        let store = ScriptedStore<SampleItem>(executor: executor).faulty(plan, clock: clock)
        let paginator = CallbackPaginator(
            dataSource: SampleServer(SamplePages(count: 30)), store: store, config: config)
        let ends = Guarded<[String]>([])
        func note(_ call: String) -> @Sendable (Result<Void, PaginatorError>) -> Void {
            { result in
                guard case .failure(let error) = result else { return ends.withLock { $0.append(call) } }
                ends.withLock { $0.append("\(call) \(error.code)") }
            }
        }
        paginator.flush(completion: note("flush"))
        paginator.clear(.all, completion: note("clear"))
        paginator.shutdown(completion: note("shutdown"))
        executor.runAll()
        #expect(ends.withLock { $0 } == [])
        clock.advance(by: config.storeTimeout)
        executor.runAll()
        #expect(ends.withLock { $0.sorted() } == ["clear storeFailed", "flush storeFailed", "shutdown storeFailed"])
        clock.advance(by: config.storeTimeout)
        executor.runAll()
        #expect(ends.withLock { $0.count } == 3)
    }

    @Test func `only so many changes wait for a silent store, which then has nothing old`() throws {
        let rig = FetchRig(hasStore: true)
        let store = try #require(rig.store)
        rig.fetch("1")
        rig.fetch("2")
        #expect(store.pages.count == 2)
        store.holdChanges()
        for number in 0..<StoreCalls.changeLimit + 100 { rig.paginator.clear(key: "key \(number)") }
        rig.run()
        #expect(store.calls.count <= StoreCalls.changeLimit + 4)
        rig.paginator.clear(key: "1")
        rig.run()
        let caller = rig.fetch("1", policy: .cacheOnly)
        rig.advance(.seconds(10))
        #expect(caller.code == .notInCache, "what was cleared does not come back")
        store.acceptChanges()
        rig.run()
        #expect(store.pages.keys.contains(rig.identity("1")) == false)
        rig.fetch("3")
        #expect(store.pages.keys.contains(rig.identity("3")))
    }
}
