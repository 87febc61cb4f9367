import Testing

@testable import PaginatorCore

/// Sources that ask to be left alone.
@Suite struct SchedulerPausingTests {
    @Test func `nothing of a paused client starts before its time`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 2 }
        #expect(bench.submit(1) == [.start(1)])
        #expect(bench.pause(.seconds(30)) == [])
        #expect(bench.submit(2, .high) == [.hold(2)])
        #expect(bench.end(1) == [])
        #expect(bench.statistics.running == 0 && bench.statistics.held == 1 && bench.statistics.waiting[.high] == 0)
        #expect(bench.pass(.seconds(29)) == [])
        #expect(bench.pass(.seconds(1)) == [.start(2)])
        #expect(bench.submit(3) == [.start(3)])
    }

    @Test func `what was ready is held and starts in its order`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(1)
        _ = bench.submit(2, .low)
        _ = bench.submit(3, .high)
        #expect(bench.pause(.seconds(5)) == [.hold(2), .hold(3)])
        #expect(bench.end(1) == [])
        #expect(bench.reprioritize(2, .high) == [])
        #expect(bench.pass(.seconds(5)) == [.start(2)])
        #expect(bench.end(2) == [.start(3)])
    }

    @Test func `the pause that ends last counts`() {
        var bench = SchedulerBench()
        _ = bench.pause(.seconds(10))
        #expect(bench.submit(1) == [.hold(1)])
        _ = bench.pause(.seconds(4))
        #expect(bench.pass(.seconds(4)) == [])
        _ = bench.pause(.seconds(8))
        #expect(bench.pass(.seconds(6)) == [])
        #expect(bench.pass(.seconds(2)) == [.start(1)])
    }

    @Test func `a task that waits for a pause is told when the pause gets longer`() {
        var bench = SchedulerBench()
        _ = bench.pause(.seconds(10))
        #expect(bench.submit(1) == [.hold(1)])
        #expect(bench.pause(.seconds(60)) == [.hold(1)])
        #expect(bench.pass(.seconds(59)) == [])
        #expect(bench.pass(.seconds(1)) == [.start(1)])
    }

    @Test func `a back off that ends in a pause waits for its end`() {
        var bench = SchedulerBench()
        _ = bench.retry(1, after: .seconds(3))
        _ = bench.pause(.seconds(10))
        #expect(bench.pass(.seconds(4)) == [.hold(1)])
        #expect(bench.pass(.seconds(6)) == [.start(1)])
    }

    @Test func `other clients go on`() {
        var bench = SchedulerBench()
        let other = bench.machine.addClient()
        _ = bench.pause(.seconds(10))
        let task = SchedulerTask(client: other, id: 7)
        let decided = bench.machine.decide(.submit(task, SchedulerDemand(.low, isPrefetch: false)), at: bench.now)
        #expect(decided == [.start(task, waited: .zero)])
    }

    @Test func `a pause has its cap`() {
        var bench = SchedulerBench { $0.sourcePauseCap = .seconds(60) }
        _ = bench.pause(.seconds(315_576_000))
        _ = bench.submit(1)
        #expect(bench.pass(.seconds(60)) == [.start(1)])
        var none = SchedulerBench { $0.sourcePauseCap = .zero }
        _ = none.pause(.seconds(5))
        #expect(none.submit(1) == [.start(1)])
    }

    @Test func `held work is refused when the connection drops and goes when cancelled`() {
        var bench = SchedulerBench()
        _ = bench.pause(.seconds(10))
        _ = bench.submit(1)
        _ = bench.submit(2, prefetch: true)
        _ = bench.submit(3)
        #expect(bench.cancel(3) == [])
        #expect(bench.conditions(.offline) == [.refuse(1, .offline)])
        #expect(bench.reprioritize(2, .high) == [.refuse(2, .offline)])
        #expect(bench.statistics.held == 0)
        #expect(bench.conditions([]) == [])
        #expect(bench.pass(.seconds(10)) == [])
    }
}
