import PaginatorCore
import PaginatorTesting
import Testing

/// A whole paginator on recording doubles around real and scripted parts, in virtual time.
@Suite struct RecordingDoubleTests {
    private let clock = ManualPaginatorClock()
    private let executor = SimulatedExecutor()

    @Test func `every part of a paginator can be recorded`() async throws {
        let source = RecordingDataSource(SampleServer(SamplePages(count: 30)))
        let store = RecordingStore(ScriptedStore<SampleItem>(executor: executor))
        let validator = RecordingValidator(AnyPageValidator<SampleItem>.notEmpty())
        let log = EvictionLog()
        let counter = RecordingObserver()
        let observer = RecordingObserver(counter)
        let real = ScriptedConnectivity()
        let connectivity = RecordingConnectivity(real)
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.inMemoryEvictionStrategy = RecordingEvictionStrategy(EvictionStrategy.lru(maxPages: 2), log: log)
        config.observer = observer
        config.connectivity = connectivity
        let paginator = CallbackPaginator(dataSource: source, validator: validator, store: store, config: config)
        for key in ["0", "10", "20", "0"] {
            let listener = RecordingListener<SampleItem>()
            executor.immediately { paginator.fetch(key: key, pageSize: 10, listener: listener) }
            #expect(listener.page?.content.count == 10)
        }
        #expect(source.keys == ["0", "10", "20"])
        #expect(source.calls.allSatisfy { $0.answers == 1 })
        #expect(source.results.count == 3)
        #expect(store.calls.count { if case .load = $0 { true } else { false } } == 4)
        #expect(store.calls.count { if case .save = $0 { true } else { false } } == 3)
        #expect(store.errors.isEmpty)
        #expect(validator.judgements.count { $0.isFetched } == 3)
        #expect(Set(validator.verdicts) == [.accept])
        #expect(log.victims.count == 2)
        #expect(observer.count(of: .loadStarted) == 4)
        #expect(counter.kinds == observer.kinds)
        #expect(connectivity.observations == 1)
        real.set(.weakLink)
        #expect(connectivity.told == [.weakLink])
        #expect(connectivity.reads == [[]])
        try await source.waitForCalls(3)
        try await source.waitForAnswers(3)
        try await store.waitForCalls(7)
        try await validator.waitForJudgements(3)
        try await log.waitForCalls(3)
    }

    @Test func `a scripted validator judges by key, in order, late and never`() {
        let validator = ScriptedValidator<Int>(otherwise: .useButRefresh, clock: clock)
        validator.script([.verdict(.dropAndReload)], forKey: "a")
        validator.script([.verdict(.accept).after(.seconds(1)), .hang])
        let context = ValidationContext(
            identity: PageIdentity(key: "a", pageSize: 1), origin: .source, age: .zero, isStale: false,
            wallTime: clock.wallTime)
        let verdicts = Guarded<[PageVerdict]>([])
        let page = PaginatorPage<Int>(content: [], key: "a")
        #expect(validator.judge(page, in: context) == .dropAndReload)
        for _ in 0..<3 {
            validator.judgeFetched(page, in: context) { verdict in verdicts.withLock { $0.append(verdict) } }
        }
        #expect(verdicts.withLock { $0 } == [.useButRefresh])
        clock.advance(by: .seconds(1))
        #expect(verdicts.withLock { $0 } == [.useButRefresh, .accept])
        #expect(validator.judgements.map(\.isFetched) == [false, true, true, true])
    }

    @Test func `a scripted strategy lets the named pages go`() {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.inMemoryEvictionStrategy = ScriptedEvictionStrategy(
            maxPages: 2, victims: [1, 0], admits: { $0.items > 1 })
        let paginator = CallbackPaginator(dataSource: SampleServer(SamplePages(count: 41)), config: config)
        func fetch(_ key: String) {
            executor.immediately { paginator.fetch(key: key, pageSize: 10, listener: RecordingListener()) }
        }
        for key in ["0", "10", "20", "30", "40"] { fetch(key) }
        let kept = ["0", "10", "20", "30", "40"].filter { paginator.peek(key: $0, pageSize: 10) != nil }
        #expect(kept == ["20", "30"])
    }

    @Test func `a scripted observer acts once for each event`() {
        let observer = ScriptedObserver()
        let seen = Guarded<[String]>([])
        observer.script(on: .loadStarted) { _ in seen.withLock { $0.append("first") } }
        observer.script(on: .loadStarted) { _ in seen.withLock { $0.append("second") } }
        for kind in [PaginatorEvent.Kind.memoryHit, .loadStarted, .loadStarted, .loadStarted] {
            observer.paginatorDidReport(PaginatorEvent(kind, at: .zero))
        }
        #expect(seen.withLock { $0 } == ["first", "second"])
        #expect(observer.remaining == 0)
    }

    @Test func `an immediate scheduler has everything done when the call is over`() {
        let observer = RecordingObserver()
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.observer = observer
        let store = ScriptedStore<SampleItem>(executor: executor)
        let paginator = CallbackPaginator(
            dataSource: SampleServer(SamplePages(count: 30)), store: store, config: config)
        let listener = RecordingListener<SampleItem>()
        executor.immediately {
            paginator.fetch(key: "0", pageSize: 10, listener: listener)
            #expect(listener.ends.isEmpty)
        }
        #expect(listener.page?.key == "0")
        #expect(executor.count == 0)
        #expect(observer.count(of: .callbackDelivered) == 1)
        #expect(store.pages.count == 1)
    }

    @Test func `a seed chooses the order of work`() {
        func order(_ seed: UInt64) -> [Int] {
            var random = SeededRandom(seed: seed)
            let done = Guarded<[Int]>([])
            for index in 0..<10 { executor.run { done.withLock { $0.append(index) } } }
            #expect(executor.runAll(using: &random) == 10)
            return done.withLock { $0 }
        }
        #expect(order(1) == order(1))
        #expect(order(1) != order(2))
        #expect(order(3).sorted() == Array(0..<10))
    }
}
