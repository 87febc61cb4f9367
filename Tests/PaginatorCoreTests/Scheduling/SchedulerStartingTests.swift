import Testing

@testable import PaginatorCore

@Suite struct SchedulerStartingTests {
    @Test func atMostTheConfiguredNumberRunsAtOnce() {
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
        #expect(bench.statistics.starts == 4)
    }

    @Test func theTimeBetweenReadyAndStartIsTold() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(1)
        _ = bench.submit(2)
        bench.now = bench.now.advanced(by: .milliseconds(700))
        let decisions = bench.machine.attemptEnded(bench.task(1), outcome: .accepted, at: bench.now)
        #expect(decisions == [.start(bench.task(2), waited: .milliseconds(700))])
    }

    @Test func aPrefetchNeverTakesTheLastFreeSlot() {
        var bench = SchedulerBench { $0.maxParallelCalls = 3 }
        #expect(bench.submit(1, .high, prefetch: true) == [.start(1)])
        #expect(bench.submit(2, .high, prefetch: true) == [.start(2)])
        #expect(bench.submit(3, .high, prefetch: true) == [])
        #expect(bench.statistics.waitingPrefetches == 1)
        #expect(bench.submit(4, .low) == [.start(4)])
        #expect(bench.end(4) == [])
        #expect(bench.reprioritize(3, .low) == [.start(3)])
    }

    @Test func theOnlySlotTakesPrefetchesToo() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        #expect(bench.submit(1, prefetch: true) == [.start(1)])
    }

    @Test func cancelledWorkIsGoneAndARunningOneGivesItsSlotBack() {
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

    @Test func whatIsNotKnownIsHarmless() {
        var bench = SchedulerBench()
        let stranger = SchedulerTask(client: 99, id: 1)
        #expect(bench.machine.submit(stranger, priority: .high, isPrefetch: false, at: .zero) == [])
        #expect(bench.machine.cancel(stranger, at: .zero) == [])
        #expect(bench.machine.removeClient(99, at: .zero) == [])
        #expect(bench.machine.setWakeup(99, at: .zero, now: .zero) == [])
        #expect(
            bench.machine.retry(
                stranger, priority: .low, isPrefetch: false, failures: 1, statedDelay: nil, at: .zero) == [])
        #expect(bench.cancel(7) == [])
        #expect(bench.end(7) == [])
        #expect(bench.reprioritize(7, .high) == [])
        #expect(bench.submit(1) == [.start(1)])
        #expect(bench.submit(1) == [])
        #expect(bench.reprioritize(1, .high) == [])
        #expect(bench.statistics.running == 1)
        #expect(bench.machine.nextDeadline == nil)
    }

    @Test func aClientThatGoesTakesItsTasksAlongAndFreesItsSlots() {
        var bench = SchedulerBench { $0.maxParallelCalls = 2 }
        let other = bench.machine.addClient()
        _ = bench.submit(1)
        _ = bench.submit(2)
        _ = bench.submit(3)
        _ = bench.end(2, .overloaded)
        _ = bench.retry(2)
        _ = bench.wakeup(in: .seconds(1))
        let task = SchedulerTask(client: other, id: 1)
        #expect(bench.machine.submit(task, priority: .low, isPrefetch: false, at: .zero) == [])
        #expect(
            bench.machine.removeClient(bench.client, at: .zero) == [.start(task, waited: .zero)])
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.statistics.running == 1)
        #expect(bench.statistics.backingOff == 0)
        #expect(bench.submit(9) == [])
    }

    @Test func suspendedNothingStartsAndResumedItStartsInOrder() {
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

    @Test func theRateSpacesStartsAndCancelledWorkCostsNothing() {
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

    @Test func aWakeUpTimeIsTakenOnceAndCanBeMovedOrCleared() {
        var bench = SchedulerBench()
        #expect(bench.wakeup(in: .seconds(5)) == [])
        #expect(bench.wakeup(in: .seconds(2)) == [])
        #expect(bench.machine.nextDeadline == bench.now.advanced(by: .seconds(2)))
        #expect(bench.pass(.seconds(2)) == [.wake])
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.wakeup(in: .seconds(1)) == [])
        #expect(bench.wakeup(in: nil) == [])
        #expect(bench.pass(.seconds(9)) == [])
        #expect(bench.wakeup(in: .seconds(-3)) == [.wake])
    }

    @Test func timeNeverRunsBackwards() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        bench.now = .zero.advanced(by: .seconds(10))
        _ = bench.submit(1)
        _ = bench.submit(2)
        let decisions = bench.machine.attemptEnded(bench.task(1), outcome: .accepted, at: .zero)
        #expect(decisions == [.start(bench.task(2), waited: .zero)])
    }
}
