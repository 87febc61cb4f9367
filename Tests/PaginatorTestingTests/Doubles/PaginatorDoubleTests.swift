import Dispatch
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@Suite struct PaginatorDoubleTests {
    private let clock = ManualPaginatorClock()
    private let executor = SimulatedExecutor()

    private struct Outage: Error {}

    private func page(_ key: String, _ previous: String? = nil, _ next: String? = nil) -> PaginatorPage<Int> {
        PaginatorPage(content: [Int(key) ?? 0], key: key, prevKey: previous, nextKey: next)
    }

    private func fetch(_ key: String, from paginator: ScriptedPaginator<Int>) -> RecordingListener<Int> {
        let listener = RecordingListener<Int>()
        executor.immediately { _ = paginator.fetch(key: key, pageSize: 1, listener: listener) }
        return listener
    }

    @Test func `a scripted paginator takes the steps of the key, then those in order, then its rule, else fails`() {
        let paginator = ScriptedPaginator<Int>(executor: executor)
        paginator.script([.fail(.fatal(Outage()))])
        paginator.script([.fail(.keyExpired(Outage()))], forKey: "a")
        #expect(fetch("a", from: paginator).error?.code == .expiredKey)
        #expect(fetch("a", from: paginator).error?.underlying is Outage)
        let nothing = fetch("a", from: paginator)
        #expect(nothing.error?.code == .sourceFailed && !(nothing.error?.underlying is Outage))
        paginator.clear(key: "a")
        #expect(paginator.calls.count == 4)
        #expect(paginator.calls.last == .clear(.key("a")))
        let ruled = ScriptedPaginator<Int>(executor: executor) { .page(page($0.key)) }
        #expect(fetch("7", from: ruled).page?.content == [7])
    }

    @Test func `a clear is done when its answer has come, and never if the store failed`() {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let store = ScriptedStore<Int>(executor: executor)
        let paginator = ScriptedPaginator(
            recording: CallbackPaginator(dataSource: ArrayDataSource([1]), store: store, config: config))
        store.failChanges(with: PaginatorError(.storeFailed, "The disk is full."))
        paginator.clear(.all) { _ in }
        paginator.clear(.all) { _ in }
        #expect(paginator.outcomes.allSatisfy { $0 == nil })
        executor.runAll()
        let failed = paginator.outcomes.map { if case .failed? = $0 { true } else { false } }
        #expect(failed == [true, true])
        store.failChanges(with: nil)
        executor.immediately { paginator.clearAll() }
        guard case .done? = paginator.outcomes[2] else { Issue.record("\(paginator.outcomes)"); return }
    }

    @Test func `what a script answered is cached, and takes no further step until it is cleared`() {
        let paginator = ScriptedPaginator<Int>(executor: executor)
        paginator.script([.page(page("1")), .page(page("2"))])
        #expect(fetch("1", from: paginator).fetched?.origin == .source)
        #expect(fetch("1", from: paginator).fetched?.origin == .memory)
        paginator.clear(key: "1")
        #expect(paginator.peek(key: "1", pageSize: 1) == nil)
        #expect(fetch("2", from: paginator).fetched?.origin == .source)
    }

    @Test func `a late answer comes by the clock, none after a cancel, and each call has its outcome`() {
        let paginator = ScriptedPaginator<Int>(clock: clock, executor: executor)
        paginator.script([.page(page("1")).after(.seconds(2)), .hang])
        let slow = fetch("1", from: paginator)
        #expect(slow.ends.isEmpty && paginator.outcomes.count == 1)
        #expect(paginator.outcomes.allSatisfy { $0 == nil })
        clock.advance(by: .seconds(2))
        executor.runAll()
        #expect(slow.page?.key == "1")
        let hung = RecordingListener<Int>()
        let execution = paginator.fetch(key: "2", pageSize: 1, listener: hung)
        executor.runAll()
        #expect(hung.ends.isEmpty)
        #expect(execution.cancel())
        #expect(!execution.cancel())
        executor.runAll()
        #expect(hung.error?.code == .cancelled && hung.ends.count == 1)
        guard case .page(let page?)? = paginator.outcomes[0], case .failed(let error)? = paginator.outcomes[1] else {
            Issue.record("\(paginator.outcomes)")
            return
        }
        #expect(page.key == "1" && error.code == .cancelled)
    }

    @Test(arguments: [true, false])
    func `a simulated configuration keeps its executor and clock`(_ passesExecutor: Bool) {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let paginator = ScriptedPaginator<Int>(executor: passesExecutor ? executor : nil, config: config)
        paginator.script([.fail(.retry(Outage(), after: .seconds(2))), .page(page("1"))])
        let listener = fetch("1", from: paginator)
        #expect(listener.ends.isEmpty)
        clock.advance(by: .seconds(20))
        #expect(listener.page?.key == "1" && paginator.calls.count == 1)
    }

    @Test func `a simulated configuration keeps its seed`() {
        let times = (1...5).map { seed in
            let (clock, executor, listener) = (ManualPaginatorClock(), SimulatedExecutor(), RecordingListener<Int>())
            var config = PaginatorConfig()
            config.simulate(on: executor, clock: clock, seed: UInt64(seed))
            let paginator = ScriptedPaginator<Int>(executor: executor, config: config)
            paginator.script([.fail(.retry(Outage()))])
            executor.immediately { _ = paginator.fetch(key: "1", pageSize: 1, listener: listener) }
            return withExtendedLifetime(paginator) { clock.armedDeadlines }
        }
        // The first retry has a random time.
        #expect(Set(times).count > 1)
    }

    @Test func `a fetch around walks by the keys of the pages, and ends a side that fails`() {
        let paginator = ScriptedPaginator<Int>(executor: executor) { request in
            let number = Int(request.key) ?? 0
            if number == 8 { return .fail(.fatal(Outage())) }
            return .page(page(request.key, String(number - 1), String(number + 1)))
        }
        let all = RecordingAroundListener<Int>()
        executor.immediately { _ = paginator.fetchAround(key: "5", pageSize: 1, depthLevel: 4, listener: all) }
        #expect(all.distances.first == 0 && all.distances.sorted() == [-4, -3, -2, -1, 0, 1, 2])
        #expect(all.failures.map(\.distance) == [3])
        let failed = RecordingAroundListener<Int>()
        executor.immediately { _ = paginator.fetchAround(key: "8", pageSize: 1, depthLevel: 2, listener: failed) }
        guard case .failure? = failed.ends.first else { Issue.record("it should have failed"); return }
        #expect(failed.ends.count == 1)
        guard case .around(let summary)? = paginator.outcomes[0], case .failed? = paginator.outcomes[1] else {
            Issue.record("\(paginator.outcomes)")
            return
        }
        #expect(summary.failures.keys.sorted() == [3])
    }

    @Test func `a paginator that expects nothing reports each call, and lets none hang`() {
        let failures = FailureList()
        let paginator = ScriptedPaginator<Int>(executor: executor, unexpected: failures.report)
        #expect(fetch("k", from: paginator).error?.code == .sourceFailed)
        let around = RecordingAroundListener<Int>()
        executor.immediately { _ = paginator.fetchAround(key: "k", pageSize: 1, depthLevel: 1, listener: around) }
        #expect(around.ends.count == 1)
        let summaries = Guarded<[PrefetchSummary]>([])
        executor.immediately {
            paginator.prefetch(PrefetchRequest(keys: ["k"], pageSize: 1)) { summary in
                summaries.withLock { $0.append(summary) }
            }
        }
        executor.immediately {
            paginator.refresh(PageRequest(key: "k", pageSize: 1), listener: nil)
            paginator.clear(scope: "s")
            paginator.invalidate(.all)
            paginator.invalidate(tags: ["t"])
            try? paginator.prime(page("k"), pageSize: 1)
            _ = paginator.peek(key: "k", pageSize: 1)
            _ = paginator.state(of: PageIdentity(key: "k", pageSize: 1))
            paginator.observe(key: "k", pageSize: 1) { _ in }
            let list = PaginatorList(paginator, id: { $0 })
            list.loadNext()
        }
        #expect(summaries.withLock { $0 }.map { $0.failed.count } == [1])
        #expect(failures.all.count == 12)
        #expect(failures.all[0].contains("Paginator.fetch(") && failures.all[0].contains("did not expect"))
        #expect(failures.all[11].contains("Paginator.base"))
    }

    @Test func `what is scripted or allowed is not reported, and a load without a step is`() {
        let failures = FailureList()
        let paginator = ScriptedPaginator<Int>(executor: executor, unexpected: failures.report) { call in
            if case .peek = call { true } else { false }
        }
        paginator.script([.page(page("1"))])
        #expect(fetch("1", from: paginator).page?.key == "1")
        #expect(paginator.peek(key: "1", pageSize: 1)?.content == [1])
        #expect(failures.all.isEmpty)
        #expect(fetch("2", from: paginator).error?.code == .sourceFailed)
        #expect(failures.all.count == 1 && failures.all[0].contains("A load of"))
        paginator.clearAll()
        #expect(failures.all.count == 2 && failures.all[1].contains("clear"))
    }

    @Test func `who waits for a call of another thread waits until it was carried out`() async throws {
        let (isInside, gate) = (Handshake(false), DispatchSemaphore(value: 0))
        let slow = ScriptedPaginator<Int>(unexpected: { _, _, _ in }) { _ in
            isInside.update { $0 = true }
            gate.wait()
            return true
        }
        let paginator = ScriptedPaginator(recording: slow)
        DispatchQueue(label: "caller").async { paginator.clear(key: "1") }
        try await isInside.wait { $0 }
        #expect(paginator.calls == [.clear(.key("1"))])
        // A wait whose condition holds ends without an error, also in a task that is cancelled.
        let early = Task { try await paginator.waitForCalls(1) }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }
        gate.signal()
        try await paginator.waitForCalls(1)
    }

    @Test func `a recording paginator passes on what it is told, and keeps nothing alive`() {
        let source = ScriptedDataSource<Int>(executor: executor, otherwise: { .page(page($0.key)) })
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        var real: CallbackPaginator<Int>? = CallbackPaginator(dataSource: source, config: config)
        weak let released = real
        var paginator: ScriptedPaginator<Int>? = real.map { ScriptedPaginator(recording: $0) }
        real = nil
        let listener = RecordingListener<Int>()
        executor.immediately { _ = paginator?.fetch(key: "1", pageSize: 1, listener: listener) }
        #expect(listener.page?.key == "1" && source.keys == ["1"])
        let observed = Guarded<[String?]>([])
        executor.immediately {
            _ = paginator?.observe(key: "1", pageSize: 1) { state in
                observed.withLock { $0.append(state?.page?.key) }
            }
            paginator?.clear(key: "1")
        }
        #expect(observed.withLock { $0.last } == .some(nil))
        guard case .states(let states)? = paginator?.outcomes[1] else { Issue.record("no states"); return }
        #expect(states.count == observed.withLock { $0.count })
        paginator = nil
        executor.runAll()
        #expect(released == nil)
    }
}
