import Testing

@testable import PaginatorCore

@Suite struct SchedulerStartingTests {
    @Test func `at most the configured number runs at once`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 2 }
        #expect(bench.submit(1) == [.start(1)])
        #expect(bench.submit(2) == [.start(2)])
        #expect(bench.submit(3) == [])
        #expect(bench.submit(4, .high) == [])
        #expect(bench.statistics.running == 2)
        #expect(bench.statistics.waiting == [.high: 1, .medium: 1, .low: 0])
        #expect(bench.end(2) == [.start(4)])
        #expect(bench.end(1) == [.start(3)])
        #expect(bench.end(3) == [])
        #expect(bench.end(4) == [])
        #expect(bench.statistics.running == 0)
    }

    @Test func `the time between ready and start is told`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(1)
        _ = bench.submit(2)
        bench.now = bench.now.advanced(by: .milliseconds(700))
        let decisions = bench.machine.decide(.attemptEnded(bench.task(1), .accepted), at: bench.now)
        #expect(decisions == [.start(bench.task(2), waited: .milliseconds(700))])
    }

    @Test func `a prefetch never takes the last free slot`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 3 }
        #expect(bench.submit(1, .high, prefetch: true) == [.start(1)])
        #expect(bench.submit(2, .high, prefetch: true) == [.start(2)])
        #expect(bench.submit(3, .high, prefetch: true) == [])
        #expect(bench.submit(4, .low) == [.start(4)])
        #expect(bench.end(4) == [])
        #expect(bench.reprioritize(3, .low) == [.start(3)])
    }

    @Test func `the only slot takes prefetches too`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        #expect(bench.submit(1, prefetch: true) == [.start(1)])
    }

    @Test func `there is at least one slot`() {
        var bench = SchedulerBench { $0.maxParallelCalls = -3 }
        #expect(bench.submit(1) == [.start(1)])
        #expect(bench.submit(2) == [])
    }

    @Test func `cancelled work is gone and a running one gives its slot back`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(1)
        _ = bench.submit(2)
        _ = bench.submit(3)
        #expect(bench.cancel(2) == [])
        #expect(bench.cancel(1) == [.start(3)])
        #expect(bench.cancel(1) == [])
        #expect(bench.end(1) == [])
        #expect(bench.statistics.running == 1)
    }

    @Test func `what is not known is harmless`() {
        var bench = SchedulerBench()
        let stranger = SchedulerTask(client: 99, id: 1)
        let demand = SchedulerDemand(.high, isPrefetch: false)
        #expect(bench.feed(.submit(stranger, demand)) == [])
        #expect(bench.feed(.cancel(stranger)) == [])
        #expect(bench.feed(.removeClient(99)) == [])
        #expect(bench.feed(.pause(client: 99, .seconds(1))) == [])
        #expect(bench.feed(.retry(stranger, demand, failures: 1, statedDelay: nil)) == [])
        #expect(bench.cancel(7) == [])
        #expect(bench.end(7) == [])
        #expect(bench.reprioritize(7, .high) == [])
        #expect(bench.submit(1) == [.start(1)])
        #expect(bench.submit(1) == [])
        #expect(bench.reprioritize(1, .high) == [])
        #expect(bench.statistics.running == 1)
        #expect(bench.machine.nextDeadline == nil)
    }

    @Test func `a client that goes takes its tasks along and frees its slots`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 2 }
        let other = bench.machine.addClient()
        _ = bench.submit(1)
        _ = bench.submit(2)
        _ = bench.submit(3)
        _ = bench.end(2, .overloaded)
        _ = bench.retry(2)
        let task = SchedulerTask(client: other, id: 1)
        #expect(bench.machine.decide(.submit(task, SchedulerDemand(.low, isPrefetch: false)), at: .zero) == [])
        #expect(bench.machine.decide(.removeClient(bench.client), at: .zero) == [.start(task, waited: .zero)])
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.statistics.running == 1)
        #expect(bench.statistics.backingOff == 0)
        #expect(bench.submit(9) == [])
    }

    @Test func `suspended nothing starts and resumed it starts in order`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 2 }
        _ = bench.submit(1)
        #expect(bench.suspend() == [])
        #expect(bench.suspend() == [])
        #expect(bench.submit(2, .low) == [])
        #expect(bench.submit(3, .high) == [])
        #expect(bench.end(1) == [])
        #expect(bench.statistics.isSuspended)
        #expect(bench.resume() == [.start(3), .start(2)])
    }

    @Test func `the rate spaces starts and cancelled work costs nothing`() {
        var bench = SchedulerBench {
            $0.rateLimit = .init(permits: 10, per: .seconds(1), burst: 1)
        }
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.submit(1) == [.start(1)])
        #expect(bench.submit(2) == [])
        #expect(bench.submit(3) == [])
        #expect(bench.machine.nextDeadline == bench.now.advanced(by: .milliseconds(100)))
        #expect(bench.cancel(2) == [])
        #expect(bench.passToDeadline() == [.start(3)])
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.submit(4) == [])
        #expect(bench.cancel(4) == [])
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.pass(.milliseconds(100)) == [])
        #expect(bench.submit(5) == [.start(5)])
    }

    @Test func `time never runs backwards`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        bench.now = .zero.advanced(by: .seconds(10))
        _ = bench.submit(1)
        _ = bench.submit(2)
        let decisions = bench.machine.decide(.attemptEnded(bench.task(1), .accepted), at: .zero)
        #expect(decisions == [.start(bench.task(2), waited: .zero)])
    }
}
