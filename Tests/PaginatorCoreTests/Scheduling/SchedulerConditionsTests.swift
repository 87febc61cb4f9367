import Testing

@testable import PaginatorCore

@Suite struct SchedulerConditionsTests {
    @Test(arguments: [PaginatorConditions.weakLink, .lowPower, .background])
    func `what speaks for less halves the slots and holds prefetches`(conditions: PaginatorConditions) {
        var bench = SchedulerBench { $0.maxParallelCalls = 4 }
        #expect(bench.conditions(conditions) == [])
        #expect(bench.submit(1, .high, prefetch: true) == [])
        #expect(bench.submit(2) == [.start(2)])
        #expect(bench.submit(3) == [.start(3)])
        #expect(bench.submit(4) == [])
        #expect(bench.conditions([]) == [.start(1), .start(4)])
    }

    @Test func `fewer slots stop nothing that runs`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 4 }
        for id in 1...4 as ClosedRange<UInt64> { #expect(bench.submit(id) == [.start(id)]) }
        #expect(bench.conditions(.weakLink) == [])
        #expect(bench.statistics.running == 4)
        #expect(bench.submit(5) == [])
        #expect(bench.end(1) == [] && bench.end(2) == [])
        #expect(bench.end(3) == [.start(5)])
    }

    @Test func `at least one slot stays`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        #expect(bench.conditions([.weakLink, .lowPower, .background]) == [])
        #expect(bench.submit(1, prefetch: true) == [])
        #expect(bench.submit(2) == [.start(2)])
        #expect(bench.end(2) == [])
        #expect(bench.conditions([.offline]) == [])
    }

    @Test func `without a connection demanded work is refused at once`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(1)
        _ = bench.submit(2, .low)
        _ = bench.submit(3, .high)
        _ = bench.submit(4, .high, prefetch: true)
        #expect(bench.conditions(.offline) == [.refuse(3, .offline), .refuse(2, .offline)])
        #expect(bench.submit(5) == [.refuse(5, .offline)])
        #expect(bench.submit(6, prefetch: true) == [])
        #expect(bench.end(1, .abandoned) == [])
        #expect(bench.reprioritize(6, .high) == [.refuse(6, .offline)])
        #expect(bench.conditions([]) == [.start(4)])
    }

    @Test func `a neighbor that is queued when the connection drops is refused like one that comes later`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(1)
        _ = bench.submit(2, .low, prefetch: true, awaited: true)
        _ = bench.submit(3, .low, prefetch: true)
        _ = bench.retry(4, .low, prefetch: true, awaited: true)
        #expect(bench.conditions(.offline) == [.refuse(2, .offline)])
        #expect(bench.submit(5, .low, prefetch: true, awaited: true) == [.refuse(5, .offline)])
        #expect(bench.pass(.seconds(1)) == [.refuse(4, .offline)])
        #expect(bench.reprioritize(3, .low, prefetch: true, awaited: true) == [.refuse(3, .offline)])
    }

    @Test func `without a connection demanded work waits if so configured`() {
        var bench = SchedulerBench {
            $0.maxParallelCalls = 2
            $0.waitsForConnectivity = true
        }
        #expect(bench.conditions(.offline) == [])
        #expect(bench.submit(1, .low) == [])
        #expect(bench.submit(2, .high) == [])
        #expect(bench.submit(3, .medium) == [])
        #expect(bench.conditions([]) == [.start(2), .start(3)])
        #expect(bench.end(2) == [.start(1)])
    }

    @Test func `a back off that ends without a connection is refused or waits`() {
        var failing = SchedulerBench()
        _ = failing.retry(1)
        _ = failing.retry(2, .low, prefetch: true)
        #expect(failing.conditions(.offline) == [])
        #expect(failing.pass(.seconds(1)) == [.refuse(1, .offline)])
        #expect(failing.conditions([]) == [.start(2)])
        var waiting = SchedulerBench { $0.waitsForConnectivity = true }
        _ = waiting.retry(1)
        #expect(waiting.conditions(.offline) == [])
        #expect(waiting.pass(.seconds(1)) == [])
        #expect(waiting.conditions([]) == [.start(1)])
    }

    @Test func `attempts that failed without a connection are due when it is back`() {
        var bench = SchedulerBench { $0.waitsForConnectivity = true }
        _ = bench.submit(1)
        _ = bench.submit(2)
        _ = bench.retry(9, failures: 1, after: .seconds(20))
        #expect(bench.conditions(.offline) == [])
        for id in 1...2 as ClosedRange<UInt64> {
            #expect(bench.end(id, .overloaded) == [])
        }
        #expect(bench.retry(2, failures: 9) == [.backOff(2)])
        #expect(bench.retry(1, failures: 9) == [.backOff(1)])
        #expect(bench.retry(3, failures: 1, after: .seconds(40)) == [.backOff(3)])
        #expect(bench.conditions([]) == [.start(2), .start(1)])
        #expect(bench.pass(.seconds(20)) == [.start(9)])
        #expect(bench.pass(.seconds(20)) == [.start(3)])
    }

    @Test func `failures without a connection are not held against the source`() {
        var bench = SchedulerBench {
            $0.maxParallelCalls = 100
            $0.waitsForConnectivity = true
        }
        for id in 1...100 as ClosedRange<UInt64> { _ = bench.submit(id) }
        _ = bench.conditions(.offline)
        for id in 1...100 as ClosedRange<UInt64> {
            _ = bench.end(id, .overloaded)
            #expect(bench.retry(id) == [.backOff(id)])
        }
        #expect(bench.statistics.throttleProbability == 0)
        #expect(bench.statistics.retryBudget == 10)
        #expect(bench.conditions([]).count == 100)
        #expect(bench.statistics.running == 100)
        #expect(bench.statistics.conditions == [])
    }
}
