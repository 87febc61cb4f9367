import PaginatorCore
import PaginatorTesting
import Testing

/// What several paginators share runs on the executor of the test like they do.
@Suite struct SimulatedSharingTests {
    @Test func `two paginators with one scheduler run on one thread, one call at a time`() {
        let (executor, clock) = (SimulatedExecutor(), ManualPaginatorClock())
        var rules = PaginatorSchedulerConfig()
        rules.maxParallelCalls = 1
        let scheduler = PaginatorScheduler(on: executor, clock: clock, config: rules)
        let source = ScriptedDataSource<Int>(clock: clock, keepsAnswered: true, otherwise: { _ in .hang })
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.scheduler = scheduler
        let paginators = (0..<2).map { _ in CallbackPaginator(dataSource: source, config: config) }
        let listeners = paginators.map { paginator in
            let listener = RecordingListener<Int>()
            executor.immediately { paginator.fetch(key: "0", pageSize: 10, listener: listener) }
            return listener
        }
        #expect(source.calls.count == 1)
        for call in 0..<2 {
            executor.immediately {
                source.answer(source.calls[call], with: .success(PaginatorPage(content: [call], key: "0")))
            }
        }
        #expect(listeners.map { $0.page?.content } == [[0], [1]])
        #expect(executor.count == 0)
    }

    @Test func `a consistency group tells its members when the test says so`() {
        let executor = SimulatedExecutor()
        let group = ConsistencyGroup<Int>(on: executor)
        let told = Handshake<[Int]>([])
        group.join { change in told.update { $0.append(change) } }
        group.send(1)
        group.send(2)
        #expect(told.read { $0 } == [])
        executor.runAll()
        #expect(told.read { $0 } == [1, 2])
    }
}
