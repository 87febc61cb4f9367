import Dispatch
import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite("Callback rule 6: events, and release")
struct CallbackRule6Tests {
    private final class Blocked: PaginatorObserver {
        let gate = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let told = DispatchSemaphore(value: 0)
        let events = Guarded<[PaginatorEvent]>([])

        func paginatorDidReport(_ event: PaginatorEvent) {
            let count = events.withLock { events in
                events.append(event)
                return events.count
            }
            if event.kind == .eventsLost { told.signal() }
            guard count == 1 else { return }
            entered.signal()
            gate.wait()
        }
    }

    @Test func `a slow observer holds up nothing and its loss is counted`() {
        let observer = Blocked()
        let source = ScriptedDataSource<SampleItem>(serving: SamplePages(count: 1_000))
        var config = PaginatorConfig()
        config.observer = observer
        let paginator = CallbackPaginator(dataSource: source, config: config)
        let last = RecordingListener<SampleItem>()
        paginator.fetch(key: "0", pageSize: 10) { _ in }
        observer.entered.wait()
        for _ in 0..<2_000 { paginator.fetch(key: "0", pageSize: 10) { _ in } }
        paginator.fetch(key: "0", pageSize: 10, listener: last)
        last.blockUntilEnd()
        #expect(last.page != nil, "answered while the observer sleeps")
        #expect(observer.events.withLock { $0.count } == 1)
        observer.gate.signal()
        observer.told.wait()
        let lost = observer.events.withLock { $0.first { $0.kind == .eventsLost }?.count }
        #expect((lost ?? 0) > 0)
        #expect(paginator.counters[.fetchStarted] == 2_002, "the counters lose nothing")
    }

    @Test func `releasing the paginator answers every waiter`() {
        let rig = FetchRig(hasStore: true, computesNeighbors: true) { $0.maxParallelCalls = 2 }
        rig.script.withLock { $0.lifetime = .seconds(1) }
        rig.fetch("stale")
        rig.advance(.seconds(2))
        rig.hangSource()
        rig.store?.holdLoads()
        let callers = [
            rig.fetch("reading"), rig.fetch("reading"), rig.fetch("calling", policy: .networkOnly),
            rig.fetch("calling 2", policy: .networkOnly), rig.fetch("queued", policy: .networkOnly),
            rig.fetch("lane", debounce: DebounceKey("lane")), rig.fetch("stale", policy: .staleWhileRevalidate),
            rig.refresh("refreshed"),
        ]
        let around = rig.fetchAround("50", depth: 2)
        rig.paginator.prefetch(keys: ["60"], pageSize: 10)
        rig.paginator.suspend()
        let suspended = rig.fetch("suspended", policy: .networkOnly)
        #expect(callers.allSatisfy { $0.ends == 0 })
        rig.release()
        rig.run()
        #expect((callers + [suspended]).allSatisfy { $0.endedOnce && $0.code == .released })
        #expect(around.endedOnce)
        #expect(around.code == .released)
        #expect(rig.source.pendingCalls.isEmpty, "calls under way are stopped")
    }

    @Test func `releasing the paginator gives the slots of a shared scheduler back`() {
        let clock = ManualPaginatorClock()
        let work = SimulatedExecutor()
        var scheduling = PaginatorSchedulerConfig()
        scheduling.maxParallelCalls = 2
        let scheduler = PaginatorScheduler(
            config: scheduling, connectivity: nil, clock: clock, randomSeed: 1, executor: work)
        let first = FetchRig { $0.scheduler = scheduler }
        let second = FetchRig { $0.scheduler = scheduler }
        first.hangSource()
        for key in ["1", "2", "3"] { first.fetch(key) }
        let caller = second.fetch("1")
        work.runAll()
        first.run()
        second.run()
        #expect(first.source.calls.count == 2)
        #expect(caller.ends == 0)
        first.release()
        work.runAll()
        second.run()
        #expect(caller.version == 1)
        #expect(first.source.calls.count == 2)
    }
}
