import PaginatorCore
import PaginatorTesting
import Testing

/// Time that the test moves, with work that waits for an executor of the test.
@Suite struct SimulatedTimeTests {
    private struct Outage: Error {}

    private let clock = ManualPaginatorClock()
    private let executor = SimulatedExecutor()
    private let page = PaginatorPage(content: [1], key: "0")
    private let ends = Guarded<[PaginatorInstant]>([])
    private let kept = Guarded<CallbackPaginator<Int>?>(nil)

    private func fetch(
        _ steps: [SourceStep<Int>], _ configure: (inout PaginatorConfig) -> Void = { _ in }
    ) -> RecordingListener<Int> {
        let source = ScriptedDataSource<Int>(clock: clock, executor: executor)
        source.script(steps)
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        configure(&config)
        let paginator = CallbackPaginator(dataSource: source, config: config)
        kept.withLock { $0 = paginator }
        let listener = RecordingListener<Int>()
        paginator.fetch(key: "0", pageSize: 10, listener: listener)
        paginator.fetch(key: "0", pageSize: 10) { [clock, ends] _ in ends.withLock { $0.append(clock.now) } }
        return listener
    }

    @Test func `a long advance leaves a retry its time, and the fetch ends when its answer comes`() throws {
        let listener = fetch([.fail(.retry(Outage())).after(.seconds(2)), .page(page).after(.seconds(1))])
        clock.advance(by: .seconds(60))
        #expect(listener.page?.content == [1])
        let end = try #require(ends.withLock { $0.first })
        #expect(PaginatorInstant.zero.advanced(by: .seconds(3)) <= end)
        #expect(end < PaginatorInstant.zero.advanced(by: .seconds(10)))
        #expect(clock.now == PaginatorInstant.zero.advanced(by: .seconds(60)))
    }

    @Test func `a step to the next timer leaves the order of work to the seed`() {
        func order(_ seed: UInt64) -> [Int] {
            let (clock, executor) = (ManualPaginatorClock(), SimulatedExecutor())
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: clock)
            let done = Guarded<[Int]>([])
            let timers = (0..<10).map { index in
                clock.makeTimer { executor.run { done.withLock { $0.append(index) } } }
            }
            for timer in timers { timer.arm(at: .zero.advanced(by: .seconds(1))) }
            var random = SeededRandom(seed: seed)
            repeat { executor.runAll(using: &random) } while clock.advanceToNextTimer() != nil
            withExtendedLifetime((timers, config)) {}
            return done.withLock { $0 }
        }
        #expect(order(1) == order(1))
        #expect(order(1) != order(2))
        #expect(order(3).sorted() == Array(0..<10))
    }

    @Test func `an advance from a callback leaves a retry its time, too`() throws {
        let listener = fetch([.fail(.retry(Outage())).after(.seconds(2)), .page(page).after(.seconds(1))])
        executor.runAll()
        executor.run { [clock] in clock.advance(by: .seconds(60)) }
        executor.runAll()
        #expect(listener.page?.content == [1])
        let end = try #require(ends.withLock { $0.first })
        #expect(end < PaginatorInstant.zero.advanced(by: .seconds(10)))
        #expect(clock.now == PaginatorInstant.zero.advanced(by: .seconds(60)))
    }

    @Test func `a retry without a pause and an answer without a delay come at once`() {
        let listener = fetch([.fail(.retry(Outage())).after(.zero), .page(page).after(.zero)]) {
            $0.scheduling.backoffBase = .zero
        }
        executor.runAll()
        #expect(listener.page?.content == [1])
        // The clock can still be moved.
        clock.advance(by: .seconds(1))
        #expect(clock.now == PaginatorInstant.zero.advanced(by: .seconds(1)))
    }

    @Test func `a source that records or reports answers its script on the executor, by the clock`() {
        let reports = Guarded<[String]>([])
        let sources: [ScriptedDataSource<Int>] = [
            ScriptedDataSource(recording: ArrayDataSource([9]), clock: clock, executor: executor),
            ScriptedDataSource(
                clock: clock, executor: executor,
                unexpected: { message, _, _ in reports.withLock { $0.append(message) } }),
        ]
        for source in sources {
            source.script([.page(page), .page(page).after(.seconds(2))])
            let answers = Guarded(0)
            for _ in 0..<2 {
                _ = source.fetch(SourceRequest(identity: PageIdentity(key: "0", pageSize: 10), attempt: 1)) { _ in
                    answers.withLock { $0 += 1 }
                }
            }
            #expect(executor.runAll() == 1)
            #expect(answers.withLock { $0 } == 1)
            clock.advance(by: .seconds(2))
            #expect(answers.withLock { $0 } == 2)
        }
        #expect(reports.withLock { $0 } == [])
    }

    @Test func `a callback may advance the clock, which moves after it`() {
        let clock = clock
        let executor = executor
        let times = Guarded<[PaginatorInstant]>([])
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let timer = clock.makeTimer {
            executor.run {
                clock.advance(by: .seconds(5))
                times.withLock { $0.append(clock.now) }
            }
        }
        timer.arm(at: PaginatorInstant.zero.advanced(by: .seconds(1)))
        clock.advance(by: .seconds(2))
        times.withLock { $0.append(clock.now) }
        #expect(times.withLock { $0 } == [1, 7].map { PaginatorInstant.zero.advanced(by: .seconds($0)) })
        withExtendedLifetime((timer, config)) {}
    }
}
