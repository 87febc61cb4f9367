import PaginatorCore
import Testing

@testable import PaginatorTesting

private struct Outage: Error {}

/// What a wrapped source, a store and a file do under each fault; on the test's own thread and a manual clock.
@Suite struct FaultTests {
    private let clock = ManualPaginatorClock()
    private let calls = Guarded<[String]>([])
    private let answers = Guarded<[String]>([])

    private func source(_ plan: FaultPlan) -> some PaginatorDataSource<Int> {
        let calls = calls
        return ClosureDataSource<Int>(firstKey: "0") { request, completion in
            calls.withLock { $0.append(request.key) }
            completion(.success(PaginatorPage(content: [1], key: request.key)))
            return .none
        }.faulty(plan, clock: clock)
    }

    private func fetch(_ source: some PaginatorDataSource<Int>, _ keys: String...) {
        for key in keys {
            _ = source.fetch(SourceRequest(identity: PageIdentity(key: key, pageSize: 1))) { result in
                answers.withLock { answers in
                    switch result {
                    case .success(let page): answers.append(page.key)
                    case .failure(let error): answers.append("\(key): \(error)")
                    }
                }
            }
        }
    }

    private var called: [String] { calls.withLock { $0 } }
    private var answered: [String] { answers.withLock { $0 } }

    @Test func `a call without a fault is the real one`() {
        fetch(source(FaultPlan()), "a", "b")
        #expect(called == ["a", "b"])
        #expect(answered == ["a", "b"])
    }

    @Test func `a lost call is not made, one that hangs is, and neither is answered`() {
        fetch(source(FaultPlan(script: [.loss, .hang])), "a", "b", "c")
        #expect(called == ["b", "c"])
        #expect(answered == ["c"])
    }

    @Test func `a failure comes before or after the real call`() {
        let plan = FaultPlan(script: [
            .failure(Outage()), .failure(SourceError.fatal(Outage())), .failure(afterwards: true),
        ])
        fetch(source(plan), "a", "b", "c")
        #expect(called == ["c"])
        #expect(
            answered == [
                "a: retry: Outage()", "b: fatal: Outage()", "c: retry: a failure that the test injected",
            ])
    }

    @Test func `a duplicate answers twice`() {
        fetch(source(FaultPlan(script: [.duplicate])), "a", "b")
        #expect(called == ["a", "b"])
        #expect(answered == ["a", "a", "b"])
    }

    @Test func `latency passes on the clock, before answers and before failures`() {
        let source = source(
            FaultPlan(script: [.latency(.seconds(3)), .latency(.seconds(1)).and(.failure(Outage()))]))
        fetch(source, "a", "b")
        #expect(called == ["a"])
        #expect(answered.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(answered == ["b: retry: Outage()"])
        clock.advance(by: .seconds(2))
        #expect(answered == ["b: retry: Outage()", "a"])
    }

    @Test func `an overtaken answer comes after that of the next call, or after its limit`() {
        let source = source(FaultPlan(script: [.overtaken(), .overtaken(), .none, .overtaken(within: .seconds(5))]))
        fetch(source, "a", "b")
        #expect(answered.isEmpty)
        fetch(source, "c")
        #expect(answered == ["c", "a", "b"])
        fetch(source, "d")
        clock.advance(by: .seconds(4))
        #expect(answered == ["c", "a", "b"])
        clock.advance(by: .seconds(1))
        #expect(answered == ["c", "a", "b", "d"])
    }

    @Test func `an answer is overtaken by later calls only`() {
        let source = source(FaultPlan(script: [.latency(.seconds(1)), .overtaken(within: .seconds(9))]))
        fetch(source, "a", "b")
        clock.advance(by: .seconds(1))
        #expect(answered == ["a"])
        fetch(source, "c")
        #expect(answered == ["a", "c", "b"])
    }

    @Test func `faults add up`() {
        let fault = Fault.latency(.seconds(1)).and(.latency(.seconds(2))).and(.duplicate).and(.hang).and(.loss)
        #expect(fault.description == "hang, latency 3.0 seconds, duplicate")
        #expect(Fault.none.description == "none")
    }

    @Test func `a seed replays its faults, and chances come true`() {
        func run(_ seed: UInt64) -> [String] {
            var chances = FaultChances()
            (chances.loss, chances.hang, chances.failure, chances.failureAfterwards) = (0.1, 0.1, 0.1, 0.1)
            (chances.duplicate, chances.overtaken) = (0.1, 0.1)
            chances.latency = .milliseconds(10)...(.milliseconds(20))
            chances.error = Outage()
            let plan = FaultPlan(seed: seed, chances)
            for index in 0..<2_000 {
                _ = plan.fault(for: .fetch, PageIdentity(key: "\(index)", pageSize: 1))
            }
            return plan.decisions.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
        }
        let faults = run(7)
        #expect(faults == run(7))
        #expect(faults != run(8))
        for part in ["loss", "hang", "failure Outage()", "failure afterwards Outage()", "duplicate", "overtaken"] {
            let count = faults.count { $0.contains(part) }
            #expect((140...260).contains(count), "\(part) came \(count) times of 2,000")
        }
        #expect(faults.allSatisfy { $0.contains("latency 0.01") || $0.contains("latency 0.02 ") })
    }

    @Test func `an outage begins and ends, and scripts name operations`() {
        let plan = FaultPlan()
        plan.script([.loss], for: .load)
        #expect(plan.fault(for: .fetch).description == "none")
        #expect(plan.fault(for: .load).description == "loss")
        plan.always(.failure(Outage()))
        #expect(plan.fault(for: .fetch).description == "failure Outage()")
        plan.heal()
        #expect(plan.fault(for: .fetch).description == "none")
        var chances = FaultChances()
        chances.hang = 1
        plan.change(to: chances)
        #expect(plan.fault(for: .fetch).description == "hang")
        #expect(plan.decisions.map { $0.prefix(2) } == ["#0", "#1", "#2", "#3", "#4"])
        #expect(plan.decisions[1] == "#1 load: loss")
        let reads = FaultPlan { operation, page in operation == .load && page?.key == "1" ? .loss : .none }
        let page = PageIdentity(key: "1", pageSize: 1)
        #expect([reads.fault(for: .load, page), reads.fault(for: .flush)].map(\.description) == ["loss", "none"])
    }

    @Test func `decisions are in the order of the calls, also while a closure decides`() {
        let itself = Guarded<FaultPlan?>(nil)
        let seenWithin = Guarded<[String]>([])
        let plan = FaultPlan { operation, _ in
            guard operation == .fetch, let own = itself.withLock({ $0 }) else { return .none }
            _ = own.fault(for: .load)
            let decisions = own.decisions
            seenWithin.withLock { $0 = decisions }
            return .loss
        }
        itself.withLock { $0 = plan }
        #expect(plan.fault(for: .fetch).description == "loss")
        #expect(seenWithin.withLock { $0 } == ["#0 fetch: undecided", "#1 load: none"])
        #expect(plan.decisions == ["#0 fetch: loss", "#1 load: none"])
        itself.withLock { $0 = nil }
    }

    @Test func `a store suffers faults, and keeps the order of its changes`() {
        let real = ScriptedStore<Int>(answersInside: true)
        let plan = FaultPlan()
        let store = real.faulty(plan, clock: clock)
        let answers = answers
        let identity = PageIdentity(key: "1", pageSize: 1)
        func save(_ number: Int) {
            let page = StoredPage(page: PaginatorPage(content: [number], key: "1"), fetchedAt: clock.wallTime)
            store.apply([.save(identity, page)]) { result in
                answers.withLock { $0.append("save \(number) \(result.isSuccess)") }
            }
        }
        plan.script([.latency(.seconds(1)), .none, .loss, .failure(Outage())], for: .apply)
        for number in 1...4 { save(number) }
        #expect(answered == ["save 2 true", "save 4 false"])
        #expect(real.pages[identity]?.page.content == [2])
        clock.advance(by: .seconds(1))
        #expect(answered.last == "save 1 true")

        plan.script([.failure(Outage()), .hang, .duplicate], for: .load)
        for _ in 0..<4 {
            store.load(identity) { result in
                answers.withLock { answers in
                    switch result {
                    case .success(let found): answers.append("found \(found?.page.content ?? [])")
                    case .failure(let error): answers.append("\(error.code) \(error.underlying is Outage)")
                    }
                }
            }
        }
        #expect(answered.dropFirst(3) == ["storeFailed true", "found [2]", "found [2]", "found [2]"])
        plan.script([.loss, .none], for: .flush)
        for _ in 0..<2 { store.flush { _ in answers.withLock { $0.append("flushed") } } }
        #expect(answered.count { $0 == "flushed" } == 1)
    }

    @Test func `a paginator lives through a hail of faults`() async throws {
        var chances = FaultChances()
        (chances.loss, chances.hang, chances.failure, chances.duplicate) = (0.1, 0.05, 0.2, 0.2)
        (chances.overtaken, chances.latency) = (0.2, .zero...(.seconds(2)))
        let executor = SimulatedExecutor()
        var config = PaginatorConfig()
        (config.clock, config.executor, config.callbackExecutor) = (clock, executor, executor)
        config.randomSeed = 1
        let pages = SamplePages(count: 400)
        let real = ClosureDataSource<SampleItem>(firstKey: "0") { request, completion in
            completion(pages.answer(to: request))
            return .none
        }
        let paginator = CallbackPaginator(
            dataSource: real.faulty(FaultPlan(seed: 3, chances), clock: clock),
            store: ScriptedStore<SampleItem>(answersInside: true).faulty(FaultPlan(seed: 4, chances), clock: clock),
            config: config)
        let listeners = (0..<40).map { index in
            let listener = RecordingListener<SampleItem>()
            paginator.fetch(key: "\(index * 10)", pageSize: 10, listener: listener)
            return listener
        }
        for _ in 0..<100 {
            while executor.runOne(choose: { _ in 0 }) {}
            clock.advance(by: .seconds(1))
        }
        while executor.runOne(choose: { _ in 0 }) {}
        #expect(listeners.allSatisfy { $0.ends.count == 1 && $0.callbacksAfterEnd == 0 })
        let pagesThatCame = listeners.compactMap(\.page)
        #expect(pagesThatCame.count > 20)
        #expect(pagesThatCame.count < 40)
        for page in pagesThatCame { #expect(page.content == pages.page(key: page.key, pageSize: 10)?.content) }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
