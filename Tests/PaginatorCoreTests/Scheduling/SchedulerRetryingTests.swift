import Testing

@testable import PaginatorCore

@Suite struct SchedulerRetryingTests {
    @Test func `backing off holds no slot`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(1)
        _ = bench.submit(2)
        #expect(bench.end(1, .overloaded) == [.start(2)])
        #expect(bench.retry(1) == [.backOff(1)])
        #expect(bench.statistics.backingOff == 1)
        #expect(bench.end(2) == [])
        #expect(bench.passToDeadline() == [.start(1)])
        #expect(bench.statistics.backingOff == 0)
    }

    @Test func `the delay lies between zero and the growing ceiling with the stated one as floor`() {
        var bench = SchedulerBench { $0.retryBudgetTokens = 1_000 }
        for id in 1...300 as ClosedRange<UInt64> {
            let failures = Int(id % 9) + 1
            let ceiling = min(.milliseconds(500) * (1 << (failures - 1)), .seconds(30))
            let stated: Duration? = id % 3 == 0 ? .seconds(2) : nil
            let demand = SchedulerDemand(.low, isPrefetch: false)
            let decisions = bench.machine.decide(
                .retry(bench.task(id), demand, failures: failures, statedDelay: stated), at: bench.now)
            guard case .backOff(_, let delay) = decisions.first else {
                Issue.record("no back-off for \(id)")
                return
            }
            #expect(delay >= stated ?? .zero)
            #expect(delay <= max(ceiling, stated ?? .zero))
        }
    }

    @Test func `a task keeps its priority through the back off unless it changes`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(9)
        _ = bench.retry(1, .low)
        _ = bench.retry(2, .low)
        _ = bench.retry(3, .low, prefetch: true)
        #expect(bench.reprioritize(2, .high) == [])
        _ = bench.submit(4, .medium)
        #expect(bench.pass(.seconds(1)) == [])
        #expect(bench.statistics.waiting == [.high: 1, .medium: 1, .low: 2])
        #expect(bench.end(9) == [.start(2)])
        #expect(bench.end(2) == [.start(4)])
    }

    @Test func `a cancelled back off never starts`() {
        var bench = SchedulerBench()
        _ = bench.retry(1)
        #expect(bench.cancel(1) == [])
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.pass(.seconds(60)) == [])
        #expect(bench.statistics.backingOff == 0)
    }

    @Test func `a spent budget refuses further attempts`() {
        var bench = SchedulerBench()
        for id in 1...10 as ClosedRange<UInt64> { #expect(bench.retry(id) == [.backOff(id)]) }
        #expect(bench.retry(11) == [.refuse(11, .budgetSpent)])
        for id in 20..<30 as Range<UInt64> {
            #expect(bench.submit(id) == [.start(id)])
            #expect(bench.end(id) == [])
        }
        #expect(bench.retry(11) == [.backOff(11)])
        #expect(bench.statistics.retryBudget == 0)
    }

    @Test func `another attempt after one that did not call the source costs nothing`() {
        var bench = SchedulerBench { $0.retryBudgetTokens = 1 }
        for id in 1...20 as ClosedRange<UInt64> {
            #expect(bench.retry(id, failures: 0, after: .seconds(5)) == [.backOff(id)])
        }
        #expect(bench.statistics.retryBudget == 1)
    }

    @Test func `failed and abandoned attempts bring nothing back`() {
        var bench = SchedulerBench()
        for id in 1...10 as ClosedRange<UInt64> { _ = bench.retry(id) }
        for id in 20..<40 as Range<UInt64> {
            _ = bench.submit(id)
            _ = bench.end(id, id % 2 == 0 ? .abandoned : .overloaded)
        }
        #expect(bench.statistics.retryBudget == 0)
    }

    @Test func `a source that only fails is spared`() {
        var bench = SchedulerBench()
        var throttled = 0
        for id in 1...200 as ClosedRange<UInt64> {
            if bench.submit(id) == [.start(id)] { _ = bench.end(id, .overloaded) } else { throttled += 1 }
        }
        let statistics = bench.statistics
        #expect(throttled > 100)
        #expect(statistics.running == 0)
        #expect(statistics.throttleProbability > 0.9)
    }

    @Test func `what needs no connection is never throttled`() {
        var bench = SchedulerBench()
        bench.overload()
        for id in 201...300 as ClosedRange<UInt64> {
            #expect(bench.submit(id, local: true) == [.start(id)])
            #expect(bench.end(id, .abandoned) == [])
        }
    }

    @Test(arguments: [AttemptOutcome.accepted, .overloaded])
    func `what needs no connection says nothing about the source`(_ outcome: AttemptOutcome) {
        var bench = SchedulerBench()
        bench.overload()
        let before = bench.statistics.throttleProbability
        for id in 201...300 as ClosedRange<UInt64> {
            #expect(bench.submit(id, local: true) == [.start(id)])
            #expect(bench.end(id, outcome) == [])
        }
        #expect(before > 0.9)
        #expect(bench.statistics.throttleProbability == before)
    }

    @Test func `abandoned attempts say nothing about the source`() {
        var bench = SchedulerBench()
        for id in 1...200 as ClosedRange<UInt64> {
            #expect(bench.submit(id) == [.start(id)])
            #expect(bench.end(id, .abandoned) == [])
        }
        #expect(bench.statistics.throttleProbability == 0)
    }

    @Test func `throttling can be switched off`() {
        var bench = SchedulerBench { $0.throttlesFailingSource = false }
        for id in 1...200 as ClosedRange<UInt64> {
            #expect(bench.submit(id) == [.start(id)])
            #expect(bench.end(id, .overloaded) == [])
        }
    }

    @Test func `throttled work takes nothing from the rate`() {
        var bench = SchedulerBench {
            $0.rateLimit = .init(permits: 1, per: .seconds(1), burst: 400)
        }
        var throttled = 0
        for id in 1...390 as ClosedRange<UInt64> {
            switch bench.submit(id) {
            case [.start(id)]: _ = bench.end(id, .overloaded)
            case [.refuse(id, .throttled)]: throttled += 1
            case let decided: Issue.record("\(decided)")
            }
        }
        #expect(throttled > 200)
        _ = bench.pass(.minutes(5))
        for id in 1_000..<1_200 as Range<UInt64> {
            #expect(bench.submit(id) == [.start(id)])
            #expect(bench.end(id) == [])
        }
    }
}
