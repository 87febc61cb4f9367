import Dispatch
import PaginatorCombine
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

#if canImport(Combine)
    import Combine
#else
    import OpenCombine
#endif

struct Row: Identifiable, Sendable, Equatable {
    let id: Int
}

/// A paginator of 100 rows on one simulated thread.
struct Bench {
    let clock = ManualPaginatorClock()
    let executor = SimulatedExecutor()
    let plan = FaultPlan()
    let paginator: CallbackPaginator<Row>

    init(_ change: (inout PaginatorConfig) -> Void = { _ in }) {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.maxAttempts = 1
        change(&config)
        let source = ArrayDataSource((0..<100).map { Row(id: $0) }).faulty(plan, clock: clock)
        paginator = CallbackPaginator(dataSource: source, config: config)
    }
}

struct PublisherTests {
    @Test func `a fetch starts with the first demand, answers once and finishes`() {
        let bench = Bench()
        let subscriber = StrictSubscriber<FetchedPage<Row>, PaginatorError>()
        bench.paginator.publisher(for: PageRequest(key: "0", pageSize: 10)).subscribe(subscriber)
        bench.executor.runAll()
        #expect(bench.paginator.peek(key: "0", pageSize: 10) == nil)
        subscriber.ask(for: 1)
        bench.executor.runAll()
        #expect(subscriber.values.map { $0.content.map(\.id) } == [Array(0..<10)])
        #expect(subscriber.hasEnded)
    }

    @Test func `without a limit a value comes on the callback queue, also while the fetch is being started`() {
        let (queue, key) = (DispatchQueue(label: "callbacks"), DispatchSpecificKey<Bool>())
        queue.setSpecific(key: key, value: true)
        var config = PaginatorConfig()
        config.dispatchQueue = queue
        let paginator = LatePaginator(
            CallbackPaginator(dataSource: ArrayDataSource((0..<10).map { Row(id: $0) }), config: config))
        let isOnQueue = Locked<[Bool]>([])
        let subscription = paginator.publisher(for: PageRequest(key: "0", pageSize: 10))
            .sink { _ in
            } receiveValue: { _ in
                let isThere = DispatchQueue.getSpecific(key: key) ?? false
                isOnQueue.update { $0.append(isThere) }
            }
        #expect(isOnQueue.read { $0 } == [true])
        subscription.cancel()
    }

    @Test func `each subscriber has a fetch of its own`() {
        let bench = Bench()
        let publisher = bench.paginator.publisher(for: PageRequest(key: "0", pageSize: 10))
        let subscribers = (0..<3).map { _ in StrictSubscriber<FetchedPage<Row>, PaginatorError>() }
        for subscriber in subscribers {
            publisher.subscribe(subscriber)
            subscriber.ask(for: 5)
        }
        bench.executor.runAll()
        for subscriber in subscribers {
            #expect(subscriber.values.count == 1)
            #expect(subscriber.hasEnded)
        }
    }

    @Test func `a failure is the end`() {
        let bench = Bench()
        bench.plan.always(.loss)
        let subscriber = StrictSubscriber<FetchedPage<Row>, PaginatorError>()
        bench.paginator.publisher(for: PageRequest(key: "0", pageSize: 10)).subscribe(subscriber)
        subscriber.ask(for: 1)
        bench.executor.runAll()
        // What is lost is given up when its time is over.
        bench.clock.advance(by: .seconds(61))
        bench.executor.runAll()
        #expect(subscriber.values.isEmpty)
        guard case .failure(let error)? = subscriber.log.read({ $0.end }) else {
            Issue.record("no failure came")
            return
        }
        #expect(error.code != PaginatorError.Code.cancelled)
    }

    @Test func `a stale page comes before the fresh one, each for its demand`() {
        let bench = Bench()
        let warm = bench.paginator.publisher(for: PageRequest(key: "0", pageSize: 10)).sink { _ in
        } receiveValue: { _ in
        }
        bench.executor.runAll()
        warm.cancel()
        bench.paginator.invalidate(.key("0"))
        let subscriber = StrictSubscriber<FetchedPage<Row>, PaginatorError>()
        bench.paginator.publisher(for: PageRequest(key: "0", pageSize: 10, policy: .staleWhileRevalidate))
            .subscribe(subscriber)
        subscriber.ask(for: 1)
        bench.executor.runAll()
        #expect(subscriber.values.map(\.isStale) == [true])
        #expect(!subscriber.hasEnded)
        subscriber.ask(for: 1)
        bench.executor.runAll()
        #expect(subscriber.values.map(\.isStale) == [true, false])
        #expect(subscriber.hasEnded)
    }

    @Test func `of the previews that nobody asked for only the latest waits, and the answer comes after it`() throws {
        let (executor, source) = (SimulatedExecutor(), ScriptedDataSource<Row>())
        source.otherwise { _ in .hang }
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let subscriber = StrictSubscriber<FetchedPage<Row>, PaginatorError>()
        paginator.publisher(for: PageRequest(key: "0", pageSize: 10)).subscribe(subscriber)
        subscriber.ask(for: 1)
        executor.runAll()
        let call = try #require(source.pendingCalls.first)
        let rows = (0..<10).map { Row(id: $0) }
        for count in 1..<10 {
            call.request.preview(PaginatorPage(content: Array(rows.prefix(count)), key: "0", continuation: ""))
            executor.runAll()
        }
        source.answer(call, with: .success(PaginatorPage(content: rows, key: "0")))
        executor.runAll()
        #expect(!subscriber.hasEnded)
        subscriber.ask(for: 5)
        #expect(subscriber.values.map(\.content.count) == [1, 9, 10])
        #expect(subscriber.hasEnded)
    }

    @Test func `after a cancel nothing comes, and the fetch is cancelled`() {
        let cancelled = RecordingObserver()
        let bench = Bench { $0.observer = cancelled }
        bench.plan.always(.latency(.seconds(5)))
        let subscriber = StrictSubscriber<FetchedPage<Row>, PaginatorError>()
        bench.paginator.publisher(for: PageRequest(key: "0", pageSize: 10)).subscribe(subscriber)
        subscriber.ask(for: 1)
        bench.executor.runAll()
        subscriber.cancel()
        bench.executor.runAll()
        bench.clock.advance(by: .seconds(10))
        bench.executor.runAll()
        #expect(subscriber.values.isEmpty)
        #expect(!subscriber.hasEnded)
        #expect(bench.paginator.peek(key: "0", pageSize: 10) == nil)
    }

    @Test(arguments: [1, 3]) func `neighbors come in order, no faster than they are asked for`(step: Int) {
        let bench = Bench()
        let subscriber = StrictSubscriber<(page: FetchedPage<Row>, distance: Int), PaginatorError>()
        bench.paginator.publisher(around: AroundRequest(page: PageRequest(key: "50", pageSize: 10), depthLevel: 2))
            .subscribe(subscriber)
        for asked in stride(from: step, through: 9, by: step) {
            subscriber.ask(for: step)
            bench.executor.runAll()
            #expect(subscriber.values.count == min(asked, 5))
        }
        #expect(subscriber.values.map(\.distance) == [0, 1, -1, 2, -2])
        #expect(subscriber.values.map { $0.page.content.first?.id } == [50, 60, 40, 70, 30])
        #expect(subscriber.hasEnded)
    }

    @Test func `a subscriber may ask and cancel from within`() {
        let bench = Bench()
        let greedy = StrictSubscriber<(page: FetchedPage<Row>, distance: Int), PaginatorError> { $0.ask(for: 1) }
        bench.paginator.publisher(around: AroundRequest(page: PageRequest(key: "50", pageSize: 10), depthLevel: 2))
            .subscribe(greedy)
        greedy.ask(for: 1)
        bench.executor.runAll()
        #expect(greedy.values.count == 5)
        let leaving = StrictSubscriber<(page: FetchedPage<Row>, distance: Int), PaginatorError>(more: 1) { $0.cancel() }
        bench.paginator.publisher(around: AroundRequest(page: PageRequest(key: "50", pageSize: 10), depthLevel: 2))
            .subscribe(leaving)
        leaving.ask(for: 1)
        bench.executor.runAll()
        #expect(leaving.values.count == 1)
        #expect(!leaving.hasEnded)
    }

    @Test func `the state of a page is told, the latest to a slow subscriber, and ends with the paginator`() {
        var bench: Bench? = Bench()
        let executor = bench?.executor
        let subscriber = StrictSubscriber<PaginatorPageResult<Row>?, Never>()
        bench?.paginator.statePublisher(key: "0", pageSize: 10).subscribe(subscriber)
        subscriber.ask(for: 1)
        executor?.runAll()
        #expect(subscriber.values.count == 1)
        if case .some(.some(let state)) = subscriber.values.first { Issue.record("something is known: \(state)") }
        bench?.paginator.fetch(key: "0", pageSize: 10) { _ in }
        executor?.runAll()
        #expect(subscriber.values.count == 1)
        subscriber.ask(for: 10)
        executor?.runAll()
        guard subscriber.values.count == 2, case .success(let page)?? = subscriber.values.last else {
            Issue.record("not the latest state alone: \(subscriber.values)")
            return
        }
        #expect(page.content.count == 10)
        bench = nil
        executor?.runAll()
        #expect(subscriber.hasEnded)
    }

    @Test func `the differences of a list lead from what was taken to what is`() {
        let bench = Bench()
        var config = PaginatorListConfig()
        config.pageSize = 10
        let list = PaginatorList(bench.paginator, config: config)
        // Applied as a screen would: each difference to what the one before left.
        let subscriber = StrictSubscriber<PaginatorListUpdate<Row, Int>, Never>()
        list.publisher.subscribe(subscriber)
        subscriber.ask(for: 1)
        bench.executor.runAll()
        for step in 0..<6 {
            list.loadNext()
            bench.executor.runAll()
            if step == 2 {
                list.insertLive([Row(id: 1_000)])
                bench.executor.runAll()
            }
            // Every second time it takes none, so that the next one stands for several.
            if step % 2 == 1 { subscriber.ask(for: 1) }
            bench.executor.runAll()
        }
        subscriber.ask(for: 1)
        bench.executor.runAll()
        var screen: [Row] = []
        for update in subscriber.values {
            update.difference.apply(to: &screen)
            #expect(screen == Array(update.snapshot))
        }
        #expect(screen.map(\.id) == [1_000] + Array(0..<60))
        #expect(subscriber.values.count <= 5)
    }

    @Test func `a list's publisher does not keep the list, and ends with it`() {
        let bench = Bench()
        var list: PaginatorList<Row, Int>? = PaginatorList(bench.paginator)
        weak let watched = list
        let subscriber = StrictSubscriber<PaginatorListUpdate<Row, Int>, Never>()
        list?.publisher.subscribe(subscriber)
        subscriber.ask(for: 100)
        bench.executor.runAll()
        list = nil
        bench.executor.runAll()
        #expect(watched == nil)
        #expect(subscriber.hasEnded)
    }

    @Test func `events reach every subscriber, and what is lost is counted`() {
        var events: PaginatorEventPublisher? = PaginatorEventPublisher(capacity: 2)
        let quick = StrictSubscriber<PaginatorEvent, Never>()
        let slow = StrictSubscriber<PaginatorEvent, Never>()
        events?.subscribe(quick)
        events?.subscribe(slow)
        quick.ask(for: 100)
        slow.ask(for: 1)
        do {
            let bench = Bench { $0.observer = events }
            bench.paginator.fetch(key: "0", pageSize: 10) { _ in }
            bench.executor.runAll()
            bench.paginator.shutdown { _ in }
            bench.executor.runAll()
        }
        let count = quick.values.count
        #expect(count > 4)
        slow.ask(for: 100)
        #expect(slow.values.map(\.kind).prefix(3) == quick.values.map(\.kind).prefix(3))
        #expect(slow.values.count == 4)
        #expect(slow.values.last?.kind == .eventsLost)
        #expect(slow.values.last?.count == count - 3)
        events = nil
        #expect(quick.hasEnded)
        #expect(slow.hasEnded)
    }

    @Test func `a slow subscriber of events gets those that had a place, and one notice`() {
        let events = PaginatorEventPublisher(capacity: 2)
        let slow = StrictSubscriber<PaginatorEvent, Never>()
        events.subscribe(slow)
        slow.ask(for: 1)
        for _ in 0..<40 {
            // Three come for each one that is taken.
            for _ in 0..<3 { events.paginatorDidReport(PaginatorEvent(.storeFailed, at: .zero)) }
            slow.ask(for: 1)
        }
        slow.ask(for: 100)
        let kinds = slow.values.map(\.kind)
        #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 != .eventsLost || $1 != .eventsLost })
        let real = kinds.count { $0 != .eventsLost }
        #expect(real >= 15)
        #expect(real + slow.values.filter { $0.kind == .eventsLost }.reduce(0) { $0 + ($1.count ?? 0) } == 120)
    }

    @Test func `who asks after the events have ended is finished`() {
        var events: PaginatorEventPublisher? = PaginatorEventPublisher()
        let late = StrictSubscriber<PaginatorEvent, Never>()
        events?.subscribe(late)
        events = nil
        late.ask(for: 1)
        #expect(late.hasEnded)
    }

    @Test func `demand from many threads loses no value and gives none twice`() async {
        let paginator = CallbackPaginator(dataSource: ArrayDataSource((0..<100).map { Row(id: $0) }))
        for _ in 0..<50 {
            let subscriber = StrictSubscriber<(page: FetchedPage<Row>, distance: Int), PaginatorError>()
            paginator.publisher(around: AroundRequest(page: PageRequest(key: "50", pageSize: 5), depthLevel: 8))
                .subscribe(subscriber)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { subscriber.ask(for: 1) } }
            }
            await subscriber.log.wait { $0.end != nil }
            #expect(Set(subscriber.values.map(\.distance)) == Set(-8...8))
            #expect(subscriber.values.count == 17)
        }
    }
}

/// A paginator whose fetch returns only after its listener has been told the answer, on the callback queue.
private final class LatePaginator: Paginator {
    let base: CallbackPaginator<Row>

    init(_ base: CallbackPaginator<Row>) { self.base = base }

    /// `@unchecked Sendable`: its state never changes.
    private final class Listener: PaginatorFetchListener<Row>, @unchecked Sendable {
        let told = DispatchSemaphore(value: 0)
        private let listener: PaginatorFetchListener<Row>

        init(_ listener: PaginatorFetchListener<Row>) { self.listener = listener }

        override func fetchDidEnd(_ result: Result<FetchedPage<Row>, PaginatorError>) {
            listener.fetchDidEnd(result)
            told.signal()
        }
    }

    func fetch(_ request: PageRequest, listener: PaginatorFetchListener<Row>) -> PaginatorExecution {
        let telling = Listener(listener)
        let execution = base.fetch(request, listener: telling)
        telling.told.wait()
        return execution
    }

    func fetchAround(_ request: AroundRequest, listener: PaginatorFetchAroundListener<Row>) -> PaginatorExecution {
        base.fetchAround(request, listener: listener)
    }

    func refresh(_ request: PageRequest, listener: PaginatorFetchListener<Row>?) -> PaginatorExecution {
        base.refresh(request, listener: listener)
    }
}
