import PaginatorCore
import PaginatorTesting
import Testing

/// A whole paginator on doubles that record around real and scripted parts, in virtual time.
@Suite struct RecordingDoubleTests {
    private let clock = ManualPaginatorClock()
    private let executor = SimulatedExecutor()

    @Test func `every part of a paginator can be recorded`() async throws {
        let source = ScriptedDataSource(recording: SampleServer(SamplePages(count: 30)))
        let store = ScriptedStore<SampleItem>(executor: executor)
        let observer = RecordingObserver()
        let connectivity = ScriptedConnectivity()
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.inMemoryEvictionStrategy = .lru(maxPages: 2)
        config.observer = observer
        config.connectivity = connectivity
        let paginator = CallbackPaginator(dataSource: source, store: store, config: config)
        for key in ["0", "10", "20", "0"] {
            let listener = RecordingListener<SampleItem>()
            executor.immediately { paginator.fetch(key: key, pageSize: 10, listener: listener) }
            #expect(listener.page?.content.count == 10)
        }
        #expect(source.keys == ["0", "10", "20"])
        #expect(source.calls.allSatisfy { $0.answers == 1 })
        #expect(store.calls.count { if case .load = $0 { true } else { false } } == 4)
        #expect(store.calls.count { if case .save = $0 { true } else { false } } == 3)
        #expect(observer.count(of: .evicted) == 2)
        #expect(observer.count(of: .loadStarted) == 3)
        #expect(connectivity.observerCount == 1)
        try await source.waitForCalls(3)
        try await store.waitForCalls(7)
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
