import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Callback rule 4: cancel, deadline, release and answer race for one word")
struct CallbackRule4Tests {
    /// A fetch whose answer is decided and not delivered.
    private func answered() -> (rig: FetchRig, caller: Caller) {
        let rig = FetchRig()
        let caller = rig.start("1")
        rig.work.runAll()
        return (rig, caller)
    }

    @Test func `after a cancel no page of that fetch begins`() {
        let (rig, caller) = answered()
        #expect(rig.cached("1") == 1, "the answer is decided")
        #expect(caller.execution.cancel())
        rig.run()
        #expect(caller.endedOnce)
        #expect(caller.code == .cancelled)
        #expect(!caller.execution.cancel())
    }

    @Test func `after a cancel no preview begins`() {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .seconds(1) }
        rig.fetch("1")
        rig.advance(.seconds(1))
        rig.hangSource()
        let caller = rig.start("1", policy: .staleWhileRevalidate)
        #expect(rig.callbacks.count == 1)
        caller.execution.cancel()
        rig.run()
        #expect(caller.previews == [])
        #expect(caller.code == .cancelled)
    }

    @Test func `after a cancel no further page of a fetch around begins`() {
        let rig = FetchRig(computesNeighbors: true)
        let cancelled = Guarded<PaginatorExecution?>(nil)
        let listener = RecordingAroundListener<SampleItem>(onDelivery: { delivery in
            if delivery.distance == 1 { cancelled.withLock { $0 }?.cancel() }
        })
        let execution = rig.paginator.fetchAround(key: "50", pageSize: 10, depthLevel: 3, listener: listener)
        cancelled.withLock { $0 = execution }
        rig.run()
        #expect(listener.distances == [0, 1])
        #expect(listener.ends.count == 1)
        if case .success? = listener.ends.first { Issue.record("its terminal must be cancelled") }
    }

    @Test func `an answer that was delivered wins`() {
        let (rig, caller) = answered()
        rig.run()
        #expect(!caller.execution.cancel())
        rig.run()
        #expect(caller.endedOnce)
        #expect(caller.version == 1)
    }

    @Test func `a cancel inside the terminal callback does nothing`() {
        let rig = FetchRig()
        let execution = Guarded<PaginatorExecution?>(nil)
        let won = Guarded<Bool?>(nil)
        let listener = RecordingListener<SampleItem>(onEnd: { _ in
            won.withLock { $0 = execution.withLock { $0 }?.cancel() }
        })
        let started = rig.paginator.fetch(key: "1", pageSize: 10, listener: listener)
        execution.withLock { $0 = started }
        rig.run()
        #expect(won.withLock { $0 } == false)
        #expect(listener.ends.count == 1)
        #expect(listener.page != nil)
    }

    @Test func `a cancel inside a preview wins`() {
        let rig = FetchRig()
        rig.script.withLock { $0.lifetime = .seconds(1) }
        rig.fetch("1")
        rig.advance(.seconds(1))
        let execution = Guarded<PaginatorExecution?>(nil)
        let listener = RecordingListener<SampleItem>(onPreview: { _ in execution.withLock { $0 }?.cancel() })
        let started = rig.paginator.fetch(
            PageRequest(key: "1", pageSize: 10, policy: .staleWhileRevalidate), listener: listener)
        execution.withLock { $0 = started }
        rig.run()
        #expect(listener.ends.count == 1)
        #expect(listener.error?.code == .cancelled)
    }

    @Test func `dropping the execution does not cancel`() {
        let rig = FetchRig()
        let listener = RecordingListener<SampleItem>()
        weak let dropped = rig.paginator.fetch(key: "1", pageSize: 10, listener: listener)
        rig.run()
        #expect(dropped == nil)
        #expect(listener.page?.version == 1)
    }

    @Test func `the first of deadline and answer wins`() {
        let rig = FetchRig()
        rig.hangSource()
        let caller = rig.fetch("1", timeout: .seconds(5))
        rig.clock.advance(by: .seconds(5))
        rig.work.runAll()
        rig.source.answer(rig.source.calls[0], with: .success(rig.page("1", version: 3)))
        rig.run()
        #expect(caller.code == .timedOut)
        #expect(caller.endedOnce)
    }

    /// Whoever wins, a cancel that says it won is followed by no page, and one that says it lost by the page.
    @Test func `a cancel on another thread tells the truth`() async throws {
        let source = ScriptedDataSource<SampleItem>(serving: SamplePages(count: 1_000))
        let paginator = CallbackPaginator(dataSource: source)
        for round in 0..<300 {
            let listener = RecordingListener<SampleItem>()
            let execution = paginator.fetch(key: "\(round % 100 * 10)", pageSize: 10, listener: listener)
            if round % 3 == 0 { await Task.yield() }
            let won = execution.cancel()
            try await listener.waitForEnd()
            #expect(listener.ends.count == 1)
            #expect((listener.error?.code == .cancelled) == won)
        }
    }
}

/// Calls back when it goes.
private final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    deinit { body() }
}

@Suite("Callback rule 5: any call from anywhere")
struct CallbackRule5Tests {
    /// Calls everything that a paginator has.
    private static func callEverything<T>(
        _ paginator: CallbackPaginator<T>, put page: @autoclosure () -> PaginatorPage<T>,
        listener: PaginatorFetchListener<T>? = nil
    ) {
        paginator.fetch(PageRequest(key: "7", pageSize: 10), listener: listener ?? PaginatorFetchListener())
        paginator.fetch(key: "", pageSize: 10) { _ in }
        paginator.fetchAround(
            key: "8", pageSize: 10, depthLevel: 2, listener: PaginatorFetchAroundListener<T>()
        ).cancel()
        paginator.prefetch(keys: ["9"], pageSize: 10).cancel()
        paginator.refresh(PageRequest(key: "10", pageSize: 10))
        _ = paginator.peek(key: "1", pageSize: 10)
        _ = paginator.withPage(key: "1", pageSize: 10) { _ in }
        _ = paginator.state(of: PageIdentity(key: "1", pageSize: 10))
        _ = paginator.counters
        _ = paginator.dump()
        paginator.observe(key: "1", pageSize: 10) { _ in }.cancel()
        paginator.suspend()
        paginator.resume()
        paginator.invalidate(.scope("other"))
        paginator.clear(key: "other")
        paginator.clear(scope: "other")
        paginator.trim(toFraction: 0.9)
        #expect(throws: Never.self) { try paginator.prime(page(), pageSize: 20) }
    }

    @Test func `any call is allowed from a callback`() {
        let rig = FetchRig(hasStore: true)
        let paginator = rig.paginator
        let page = rig.page("1", version: 5)
        let inner = RecordingListener<SampleItem>()
        let outer = RecordingListener<SampleItem>(onEnd: { _ in
            Self.callEverything(paginator, put: page, listener: inner)
            #expect(inner.ends.isEmpty, "no callback inside a call, inside a callback either")
        })
        paginator.fetch(key: "1", pageSize: 10, listener: outer)
        rig.run()
        #expect(outer.ends.count == 1)
        #expect(inner.ends.count == 1)
        #expect(rig.cached("1", pageSize: 20) == 5)
    }

    @Test func `the last reference may go in a callback`() {
        let rig = FetchRig()
        let kept = Guarded<CallbackPaginator<SampleItem>?>(rig.paginator)
        let first = RecordingListener<SampleItem>(onEnd: { _ in
            let gone = kept.withLock { kept in
                defer { kept = nil }
                return kept
            }
            _ = gone
        })
        rig.paginator.fetch(key: "1", pageSize: 10, listener: first)
        rig.work.runAll()
        rig.hangSource()
        let second = rig.start("2")
        rig.release()
        rig.run()
        #expect(first.page?.version == 1)
        #expect(second.code == .released)
    }

    @Test func `a source a validator an observer an error strategy and a store may call too`() {
        let box = Guarded<CallbackPaginator<SampleItem>?>(nil)
        let depth = Guarded(0)
        let reenter: @Sendable () -> Void = {
            let turn = depth.withLock { depth in
                depth += 1
                return depth
            }
            guard turn < 20, let paginator = box.withLock({ $0 }) else { return }
            Self.callEverything(paginator, put: PaginatorPage(content: [], key: "11"))
        }
        struct Watching: PaginatorObserver {
            let body: @Sendable () -> Void
            func paginatorDidReport(_ event: PaginatorEvent) { body() }
        }
        let rig = FetchRig(
            validator: .closure { _, _ in
                reenter()
                return .accept
            }
        ) { config in
            config.observer = Watching(body: reenter)
            config.errorStrategy = ErrorStrategy { failure in
                reenter()
                return ErrorStrategy.standard.decide(failure)
            }
        }
        rig.source.script([.fail(.fatal(FetchRig.Outage())).insideFetch], forKey: "2")
        box.withLock { $0 = rig.paginator }
        let callers = [rig.fetch("1"), rig.fetch("2"), rig.fetch("1")]
        #expect(callers.map(\.ends) == [1, 1, 1])
        #expect(callers[1].code == .sourceFailed)
        box.withLock { $0 = nil }
    }

    @Test(arguments: ["clear", "evict", "replace", "trim", "put"])
    func `any call is allowed from the deinit of an evicted value`(way: String) throws {
        let work = SimulatedExecutor()
        let callbacks = SimulatedExecutor()
        var config = PaginatorConfig()
        config.executor = work
        config.callbackExecutor = callbacks
        config.inMemoryEvictionStrategy = .lru(maxPages: 1)
        let source = ScriptedDataSource<Farewell>(otherwise: { request in
            .page(PaginatorPage(content: [], key: request.key)).insideFetch
        })
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let gone = Guarded(0)
        func page(_ key: String) -> PaginatorPage<Farewell> {
            PaginatorPage(
                content: [
                    Farewell { [weak paginator] in
                        guard let paginator else { return }
                        gone.withLock { $0 += 1 }
                        Self.callEverything(paginator, put: PaginatorPage(content: [], key: "11"))
                    }
                ], key: key)
        }
        try paginator.prime(page("1"), pageSize: 10)
        switch way {
        case "clear": paginator.clear(key: "1")
        case "evict": paginator.fetch(key: "2", pageSize: 10, listener: PaginatorFetchListener())
        case "replace": paginator.refresh(PageRequest(key: "1", pageSize: 10))
        case "trim": paginator.trim(toFraction: 0)
        default: try paginator.prime(page("1"), pageSize: 10)
        }
        while work.count + callbacks.count > 0 {
            work.runAll()
            callbacks.runAll()
        }
        #expect(gone.withLock { $0 } >= 1)
    }

    @Test func `any call is allowed from the deinit of a value that only the machine held`() {
        let work = SimulatedExecutor()
        let callbacks = SimulatedExecutor()
        var config = PaginatorConfig()
        config.executor = work
        config.callbackExecutor = callbacks
        let source = ScriptedDataSource<Farewell>(otherwise: { _ in .hang })
        let held = Guarded<[@Sendable (PageVerdict) -> Void]>([])
        let paginator = CallbackPaginator(
            dataSource: source,
            validator: .closure(fetched: { _, _, completion in held.withLock { $0.append(completion) } }),
            config: config)
        let gone = Guarded(0)
        let execution = paginator.fetch(key: "1", pageSize: 10, listener: PaginatorFetchListener())
        work.runAll()
        source.answer(
            source.calls[0],
            with: .success(
                PaginatorPage(
                    content: [
                        Farewell { [weak paginator] in
                            gone.withLock { $0 += 1 }
                            guard let paginator else { return }
                            Self.callEverything(paginator, put: PaginatorPage(content: [], key: "11"))
                        }
                    ], key: "1")))
        #expect(held.withLock { $0.count } == 1)
        #expect(gone.withLock { $0 } == 0, "the machine keeps the page while it is judged")
        execution.cancel()
        #expect(gone.withLock { $0 } == 1, "released by the cancel, outside the lock")
        work.runAll()
        callbacks.runAll()
    }
}
