import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorAsync

/// The intervals that Instruments shows, from the events of a paginator.
@Suite struct OpenStepsTests {
    private let executor = SimulatedExecutor()
    private let clock = ManualPaginatorClock()
    private let observer = RecordingObserver()

    // The steps in the order in which they begin, "+", and end, "-".
    private func steps(of events: [PaginatorEvent]) -> (told: [String], open: Int) {
        var open = OpenSteps<Int>()
        var told: [String] = []
        var last = 0
        for event in events {
            open.take(event) { step in
                last += 1
                told.append("+\(step) \(last)")
                return last
            } end: { step, number in
                told.append("-\(step) \(number)")
            }
        }
        return (told, open.count)
    }

    private func paginator(
        _ source: ScriptedDataSource<SampleItem>, store: ScriptedStore<SampleItem>? = nil
    ) -> CallbackPaginator<SampleItem> {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.observer = observer
        return CallbackPaginator(dataSource: source, store: store, config: config)
    }

    @Test func `each step of a load begins and ends once, in its order`() {
        let pages = SamplePages(count: 100)
        let source = ScriptedDataSource<SampleItem>(otherwise: { .result(pages.answer(to: $0)).insideFetch })
        let paginator = paginator(source, store: ScriptedStore(executor: executor))
        paginator.prefetch(keys: ["0"], pageSize: 10)
        executor.runAll()
        let (told, open) = steps(of: observer.events)
        #expect(
            told == [
                "+storeRead 1", "-storeRead 1", "+load 2", "+attempt 3", "-attempt 3", "+validation 4", "-validation 4",
                "-load 2",
            ])
        #expect(open == 0)
    }

    @Test func `what is open of a load ends with it`() {
        let source = ScriptedDataSource<SampleItem>(otherwise: { _ in .hang })
        let paginator = paginator(source)
        let execution = paginator.fetch(key: "0", pageSize: 10) { _ in }
        executor.runAll()
        execution.cancel()
        executor.runAll()
        let (told, open) = steps(of: observer.events)
        #expect(told.prefix(2) == ["+load 1", "+attempt 2"])
        #expect(Set(told.dropFirst(2)) == ["-attempt 2", "-load 1"])
        #expect(open == 0)
    }

    @Test func `a fetched page is judged until its verdict, whatever is said of a cached one meanwhile`() {
        let page = PageIdentity(key: "0", pageSize: 10)
        func verdict(on origin: PageOrigin) -> PaginatorEvent {
            var event = PaginatorEvent(.verdict, at: .zero, identity: page)
            event.origin = origin
            return event
        }
        let judging = [PaginatorEvent(.attemptEnded, at: .zero, identity: page), verdict(on: .memory)]
        #expect(steps(of: judging).told == ["+validation 1"])
        let (told, open) = steps(of: judging + [verdict(on: .source)])
        #expect(told == ["+validation 1", "-validation 1"])
        #expect(open == 0)
    }

    @Test func `lost events leave nothing open`() {
        let page = PageIdentity(key: "0", pageSize: 10)
        let (told, open) = steps(of: [
            PaginatorEvent(.loadStarted, at: .zero, identity: page), PaginatorEvent(.eventsLost, at: .zero),
            PaginatorEvent(.loadEnded, at: .zero, identity: page),
        ])
        #expect(told == ["+load 1", "-load 1"])
        #expect(open == 0)
    }
}
