import PaginatorTesting
import Testing

@testable import PaginatorCore

/// What is over leaves nothing behind, however long the process lives.
@Suite struct GrowthTests {
    @Test func `a suspended paginator forgets fetches that were cancelled`() {
        let rig = FetchRig(isObserved: false)
        rig.paginator.suspend()
        let waiting = rig.fetch("0")
        for key in 1...5_000 {
            let caller = rig.start("\(key)")
            rig.work.runAll()
            caller.execution.cancel()
        }
        rig.run()
        #expect(rig.paginator.engine.driver.withMachine { $0.loads.count } == 1)
        rig.paginator.resume()
        rig.run()
        #expect(waiting.version == 1)
        #expect(rig.source.keys == ["0"])
    }

    @Test func `a mediator forgets the scopes of searches that are long over`() {
        let world = MediatorWorld()
        for scope in 0..<5_000 {
            let call = world.ask("0", scope: "query \(scope)")
            world.answerRemote(world.remote.calls[scope], last: true)
            #expect(call.answers.page != nil)
        }
        let boundaries = Mirror(reflecting: world.source).descendant("state", "value", "boundaries")
        let remembered = boundaries.map { Mirror(reflecting: $0).children.count } ?? .max
        // The 1,024 that are remembered, and as many until the others are forgotten together.
        #expect(remembered <= 2_048)
        let again = world.ask("0", scope: "query 4999")
        #expect(again.answers.page?.content.count == 3)
        #expect(world.remote.calls.count == 5_000, "of the last ones it is known where they end")
    }

    @Test func `a scheduler that outlives its paginators keeps nothing of them`() {
        let scheduler = PaginatorScheduler(
            config: PaginatorSchedulerConfig(), connectivity: nil, clock: ManualPaginatorClock(), randomSeed: 1,
            executor: SimulatedExecutor())
        func listeners() -> Int? {
            Mirror(reflecting: scheduler).descendant("listeners", "value").map { Mirror(reflecting: $0).children.count }
        }
        do {
            let rig = FetchRig(isObserved: false) { $0.scheduler = scheduler }
            #expect(listeners() == 1)
            rig.release()
            #expect(listeners() == 0)
        }
        #expect(scheduler.clients.withLock { $0.isEmpty })
    }

    @Test func `the memory of a burst is given back when all of it is answered`() {
        var machine = FetchMachine(settings: FetchMachine.Settings())
        for id in UInt64(1)...6_000 {
            let ticket = FetchTicket(id: id, onCancel: { _ in }, receiver: nil)
            let request = PageRequest(
                key: "\(id)", pageSize: 10, policy: .networkOnly,
                debounce: id % 3 == 0 ? DebounceKey("\(id)") : nil)
            let event: FetchEvent =
                id % 3 == 1
                ? .prefetch(ticket, PrefetchRequest(keys: [request.key], pageSize: 10), refused: [:])
                : .fetch(ticket, request, request.identity, memory: nil)
            machine.handle(event, at: .zero)
        }
        machine.handle(.release, at: .zero)
        #expect(machine.isIdle == true)
        let capacities = [
            machine.loads.capacity, machine.index.capacity, machine.waiters.capacity, machine.tasks.capacity,
            machine.debouncing.capacity, machine.prefetches.capacity,
        ]
        #expect(capacities.allSatisfy { $0 <= 1_024 }, "\(capacities)")
        #expect(machine.invariantViolations() == [])
    }

    @Test func `loads that have not asked keep nothing of what is invalidated`() {
        let rig = FetchRig(isObserved: false)
        rig.connectivity.set(.background)
        rig.paginator.prefetch(keys: (0..<100).map(String.init), pageSize: 10)
        rig.run()
        for number in 0..<100 { rig.paginator.invalidate(tags: ["tag \(number)"]) }
        rig.run()
        let kept = rig.paginator.engine.driver.withMachine {
            $0.loads.values.map { ($0.call?.invalidatedTags.count ?? 0) + $0.cache.invalidatedTags.count }
        }
        #expect(kept == Array(repeating: 0, count: 100))
    }

    @Test func `a cancel looks at nobody else's fetches`() {
        let script = MachineScript()
        let (mine, other) = (script.ticket(), script.ticket())
        for ticket in [mine, other] { script.prefetch("1", "2", "3", as: ticket) }
        #expect(script.machine.prefetches[mine.id]?.waiters.count == 3)
        script.feed(.cancel(mine))
        #expect(script.machine.prefetches.keys.elementsEqual([other.id]))
        #expect(script.machine.loads.count == 3)
        script.feed(.cancel(other))
        #expect(script.machine.isIdle && script.machine.prefetches.isEmpty)
    }
}
