import PaginatorTesting
import Testing

@testable import PaginatorCore

@Suite struct PaginatorSchedulerTests {
    private struct World {
        let clock = CountingClock()
        let connectivity = ScriptedConnectivity()
        let executor = SimulatedExecutor()
        let client = RecordingSchedulerClient()
        let scheduler: PaginatorScheduler
        let id: UInt64

        init(_ conditions: PaginatorConditions = [], _ change: (inout PaginatorSchedulerConfig) -> Void = { _ in }) {
            var config = PaginatorSchedulerConfig()
            change(&config)
            connectivity.set(conditions)
            scheduler = PaginatorScheduler(
                config: config, connectivity: connectivity, clock: clock, randomSeed: 1, executor: executor)
            id = scheduler.register(client)
        }

        func submit(_ task: UInt64, _ priority: FetchPriority = .medium, prefetch: Bool = false) {
            scheduler.submit(task, for: id, priority: priority, isPrefetch: prefetch)
        }

        func retry(_ task: UInt64, after delay: Duration? = nil) {
            scheduler.retry(
                task, for: id, priority: .medium, failures: 1, statedDelay: delay)
        }
    }

    @Test func `no client is called inside a call`() {
        let world = World { $0.maxParallelCalls = 1 }
        world.submit(1)
        world.submit(2)
        world.scheduler.attemptEnded(1, for: world.id, outcome: .accepted)
        #expect(world.client.calls == [])
        #expect(world.executor.count == 1)
        world.executor.runAll()
        #expect(world.client.calls == [.start(1, waited: .zero), .start(2, waited: .zero)])
    }

    @Test func `a client that calls takes its starts on the spot, behind what was decided before`() {
        let world = World()
        let taken = Guarded<[UInt64]>([])
        func submit(_ task: UInt64) {
            let event = SchedulerEvent.submit(
                SchedulerTask(client: world.id, id: task), SchedulerDemand(.medium, isPrefetch: false))
            _ = world.scheduler.feed(event, at: .zero, from: world.id) { task, _ in taken.withLock { $0.append(task) } }
        }
        submit(1)
        #expect(taken.withLock { $0 } == [1])
        #expect(world.executor.count == 0, "no turn of another thread is needed")
        world.submit(2)
        submit(3)
        #expect(taken.withLock { $0 } == [1], "the second is still on its way")
        world.executor.runAll()
        #expect(world.client.started == [2, 3])
    }

    @Test func `a listener hears of changed conditions until it is removed`() {
        let world = World()
        let (listener, other) = (Guarded(0), Guarded(0))
        for counter in [listener, other] {
            world.scheduler.addListener(ObjectIdentifier(counter)) { counter.withLock { $0 += 1 } }
        }
        world.connectivity.set(.offline)
        world.scheduler.removeListener(ObjectIdentifier(listener))
        world.connectivity.set([])
        #expect(listener.withLock { $0 } == 1)
        #expect(other.withLock { $0 } == 2)
    }

    @Test func `every call may be made from a callback`() {
        let world = World { $0.maxParallelCalls = 2 }
        let (scheduler, id) = (world.scheduler, world.id)
        world.client.onCall { call in
            guard case .start(let task, _) = call, task < 5 else { return }
            scheduler.attemptEnded(task, for: id, outcome: .accepted)
            scheduler.submit(task + 1, for: id, priority: .low, isPrefetch: true)
            scheduler.reprioritize(task + 1, for: id, priority: .high, isPrefetch: false)
            scheduler.cancel(task + 100, for: id)
            scheduler.suspend()
            scheduler.resume()
            _ = scheduler.statistics
        }
        world.submit(1)
        world.executor.runAll()
        #expect(world.client.started == [1, 2, 3, 4, 5])
    }

    @Test func `many decisions come in batches and in order`() {
        let world = World { $0.maxParallelCalls = 1_000 }
        for task in 1...500 as ClosedRange<UInt64> { world.submit(task) }
        world.executor.runAll()
        #expect(world.client.started == Array(1...500))
        #expect(world.executor.count == 0)
    }

    @Test func `one timer serves every deadline`() {
        let world = World { $0.retryBudgetTokens = 1_000 }
        world.submit(101)
        #expect(world.clock.timers == 0)
        for task in 1...100 as ClosedRange<UInt64> { world.retry(task, after: .seconds(Int64(task))) }
        #expect(world.clock.timers == 1)
        #expect(world.clock.manual.armedDeadlines.count == 1)
        for task in 1...100 as ClosedRange<UInt64> {
            #expect(world.clock.manual.armedDeadlines == [.zero.advanced(by: .seconds(Int64(task)))])
            world.clock.manual.advanceToNextTimer()
            world.executor.runAll()
            #expect(world.client.started.contains(task))
            world.scheduler.attemptEnded(task, for: world.id, outcome: .accepted)
        }
        #expect(world.clock.manual.armedDeadlines == [])
        #expect(world.clock.timers == 1)
    }

    @Test func `a timer whose deadline is taken away finds nothing to do`() {
        let world = World()
        world.retry(1, after: .seconds(5))
        #expect(world.clock.manual.armedDeadlines.count == 1)
        world.scheduler.cancel(1, for: world.id)
        world.clock.manual.advance(by: .seconds(60))
        world.executor.runAll()
        #expect(world.client.started == [])
        #expect(world.clock.manual.armedDeadlines == [])
    }

    @Test func `a timer that fires too early is armed again`() {
        let world = World()
        world.retry(1, after: .seconds(5))
        #expect(world.clock.manual.timesArmed == 1)
        world.clock.fireEarly()
        #expect(world.clock.manual.timesArmed == 2)
        world.executor.runAll()
        #expect(world.client.started == [])
    }

    @Test func `a shared scheduler shares its slots and its budget`() {
        let world = World { $0.maxParallelCalls = 1 }
        let other = RecordingSchedulerClient()
        let otherID = world.scheduler.register(other)
        #expect(otherID != world.id)
        world.submit(1)
        world.scheduler.submit(1, for: otherID, priority: .high, isPrefetch: false)
        world.executor.runAll()
        #expect(other.calls == [])
        for task in 100..<110 as Range<UInt64> { world.retry(task) }
        world.scheduler.retry(
            9, for: otherID, priority: .high, failures: 1, statedDelay: nil)
        world.scheduler.attemptEnded(1, for: world.id, outcome: .abandoned)
        world.executor.runAll()
        #expect(other.calls == [.refuse(9, .budgetSpent), .start(1, waited: .zero)])
        #expect(world.scheduler.statistics.backingOff == 10)
    }

    @Test func `a client that is released loses its tasks and frees its slots`() {
        let world = World { $0.maxParallelCalls = 1 }
        var other: RecordingSchedulerClient? = RecordingSchedulerClient()
        weak let released = other
        let otherID = other.map { world.scheduler.register($0) } ?? 0
        world.scheduler.submit(1, for: otherID, priority: .high, isPrefetch: false)
        world.submit(2)
        other = nil
        #expect(released == nil)
        world.executor.runAll()
        #expect(world.client.started == [2])
    }

    @Test func `nothing is told to a client that has left`() {
        let world = World()
        world.submit(1)
        world.scheduler.unregister(world.id)
        world.submit(2)
        world.executor.runAll()
        #expect(world.client.calls == [])
        #expect(world.scheduler.statistics.running == 0)
    }

    @Test func `the connectivity is asked at once then observed and let go`() {
        var world: World? = World(.offline) { $0.waitsForConnectivity = true }
        let connectivity = world?.connectivity
        world?.submit(1)
        world?.executor.runAll()
        #expect(world?.client.calls == [])
        #expect(world?.scheduler.statistics.conditions == .offline)
        connectivity?.set(.weakLink)
        world?.executor.runAll()
        #expect(world?.client.started == [1])
        #expect(connectivity?.observerCount == 1)
        world = nil
        #expect(connectivity?.observerCount == 0)
    }

    @Test func `suspended it starts nothing`() {
        let world = World()
        world.scheduler.suspend()
        world.submit(1)
        world.executor.runAll()
        #expect(world.client.calls == [])
        #expect(world.scheduler.statistics.isSuspended)
        world.scheduler.resume()
        world.executor.runAll()
        #expect(world.client.started == [1])
    }

    @Test func `a low task starts within the promised number of starts of its ageing`() {
        let world = World { $0.maxParallelCalls = 1 }
        world.submit(1, .high)
        world.submit(2, .low)
        world.executor.runAll()
        var urgent: UInt64 = 1_000
        var startsSinceAged = 0
        while !world.client.started.contains(2), urgent < 1_200 {
            urgent += 1
            world.submit(urgent, .high)
            world.clock.manual.advance(by: .milliseconds(50))
            world.scheduler.attemptEnded(world.client.started.last ?? 0, for: world.id, outcome: .accepted)
            world.executor.runAll()
            if world.clock.now > .zero.advanced(by: .seconds(2)) { startsSinceAged += 1 }
        }
        #expect((1...8).contains(startsSinceAged))
    }

    @Test func `the same seed replays the same delays`() {
        func delays(_ seed: UInt64) -> [RecordingSchedulerClient.Call] {
            let (executor, client) = (SimulatedExecutor(), RecordingSchedulerClient())
            let scheduler = PaginatorScheduler(
                config: PaginatorSchedulerConfig(), connectivity: nil, clock: ManualPaginatorClock(), randomSeed: seed,
                executor: executor)
            let id = scheduler.register(client)
            for task in 1...8 as ClosedRange<UInt64> {
                scheduler.retry(task, for: id, priority: .low, failures: 3, statedDelay: nil)
            }
            executor.runAll()
            return client.calls
        }
        #expect(delays(1) == delays(1))
        #expect(delays(1) != delays(2))
    }

    @Test func `the system clock wakes a client`() async {
        let scheduler = PaginatorScheduler()
        let client = RecordingSchedulerClient()
        let id = scheduler.register(client)
        await withCheckedContinuation { continuation in
            client.onCall { call in if case .start = call { continuation.resume() } }
            scheduler.feed(.pause(client: id, .milliseconds(5)))
            scheduler.submit(1, for: id, priority: .high, isPrefetch: false)
        }
        #expect(client.started == [1])
        scheduler.unregister(id)
    }
}
