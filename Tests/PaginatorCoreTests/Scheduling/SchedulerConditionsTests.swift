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

    @Test func `without a connection what a caller wants is refused at once`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        _ = bench.submit(1)
        _ = bench.submit(2, .low)
        _ = bench.submit(3, .high)
        _ = bench.submit(4, .high, prefetch: true)
        #expect(bench.conditions(.offline) == [.refuse(2, .offline), .refuse(3, .offline)])
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

    @Test func `without a connection what a caller wants waits if so configured`() {
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
        #expect(bench.retry(2, failures: 9) == [])
        #expect(bench.retry(1, failures: 9) == [])
        #expect(bench.retry(3, failures: 1, after: .seconds(40)) == [.backOff(3)])
        #expect(bench.conditions([]) == [.start(1), .start(2)])
        #expect(bench.pass(.seconds(20)) == [.start(9)])
        #expect(bench.pass(.seconds(20)) == [.start(3)])
    }

    @Test func `an attempt that failed without a connection is not made again without it`() {
        var bench = SchedulerBench()
        _ = bench.submit(1)
        _ = bench.submit(2, .low, prefetch: true)
        _ = bench.conditions(.offline)
        for id in 1...2 as ClosedRange<UInt64> { _ = bench.end(id, .overloaded) }
        #expect(bench.retry(1) == [.refuse(1, .offline)])
        #expect(bench.retry(2, .low, prefetch: true) == [])
        #expect(bench.pass(.minutes(5)) == [])
        #expect(bench.conditions([]) == [.start(2)])
    }

    @Test(arguments: [false, true])
    func `what needs no connection starts without one, beside what waits or is refused`(waits: Bool) {
        var bench = SchedulerBench {
            $0.maxParallelCalls = 2
            $0.waitsForConnectivity = waits
        }
        #expect(bench.submit(1, local: true) == [.start(1)])
        #expect(bench.submit(2) == [.start(2)])
        #expect(bench.submit(3, .high) == [])
        #expect(bench.submit(4, .low, local: true) == [])
        #expect(bench.conditions(.offline) == (waits ? [] : [.refuse(3, .offline)]))
        #expect(bench.end(1) == [.start(4)], "it is not held up by what waits with a higher priority")
        #expect(bench.end(4) == [])
        #expect(bench.submit(5, local: true) == [.start(5)])
        #expect(bench.end(2) == [] && bench.end(5) == [])
        #expect(bench.submit(6, prefetch: true, local: true) == [.start(6)])
        #expect(bench.submit(7, prefetch: true) == [])
        #expect(bench.conditions([]) == (waits ? [.start(3)] : []), "the last slot is not for a prefetch")
        #expect(bench.end(6) == (waits ? [] : [.start(7)]))
    }

    @Test func `what needs no connection is held back by all other conditions`() {
        var bench = SchedulerBench()
        _ = bench.conditions([.offline, .lowPower])
        #expect(bench.submit(1, prefetch: true, local: true) == [])
        #expect(bench.submit(2, prefetch: true, awaited: true, local: true) == [.refuse(2, .heldBack)])
        #expect(bench.submit(3, local: true) == [.start(3)])
        #expect(bench.submit(4, local: true) == [.start(4)])
        #expect(bench.submit(5, local: true) == [], "half of the slots")
        #expect(bench.conditions(.offline) == [.start(5)])
        #expect(bench.end(3) == [.start(1)])
    }

    @Test func `what needs no connection backs off without one, and costs the retry budget`() {
        var bench = SchedulerBench { $0.retryBudgetTokens = 1 }
        _ = bench.conditions(.offline)
        _ = bench.submit(1, local: true)
        _ = bench.end(1, .overloaded)
        #expect(bench.retry(1, local: true) == [.backOff(1)])
        #expect(bench.pass(.seconds(1)) == [.start(1)])
        #expect(bench.retry(2, local: true) == [.refuse(2, .budgetSpent)])
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
            #expect(bench.retry(id) == [])
        }
        #expect(bench.statistics.throttleProbability == 0)
        #expect(bench.statistics.retryBudget == 10)
        #expect(bench.conditions([]).count == 100)
        #expect(bench.statistics.running == 100)
        #expect(bench.statistics.conditions == [])
    }

    @Test func `failures before the connection was known to be gone throttle nothing when it is back`() {
        var bench = SchedulerBench()
        bench.overload()
        for conditions in [.weakLink, [], .offline] as [PaginatorConditions] {
            _ = bench.conditions(conditions)
            #expect(bench.statistics.throttleProbability > 0.9)
        }
        _ = bench.conditions(.weakLink)
        #expect(bench.statistics.throttleProbability == 0)
    }

    @Test func `a prefetch runs under what it names, and waits for what it wants`() {
        let cases: [(wanted: PaginatorConditions, now: PaginatorConditions, runs: Bool)] = [
            ([], [], true), ([], .charging, true), ([], .background, false),
            (.background, .background, true), (.background, [], true), (.background, [.background, .weakLink], false),
            ([.background, .weakLink], [.background, .weakLink], true), (.lowPower, [.lowPower, .weakLink], false),
            (.charging, [], false), (.charging, .charging, true), (.charging, [.charging, .background], false),
            ([.charging, .background], [.charging, .background], true),
            (.idle, [], true), ([.idle, .charging], .charging, true), (.offline, .offline, false),
        ]
        for (wanted, now, runs) in cases {
            var bench = SchedulerBench()
            _ = bench.conditions(now)
            #expect(bench.prefetch(1, wanted) == (runs ? [.start(1)] : []), "\(wanted) under \(now)")
            #expect(bench.conditions(.charging) == (runs ? [] : [.start(1)]), "\(wanted) under \(now)")
        }
    }

    @Test func `with two who want a page ahead one of them suffices, and not a half of each`() {
        var bench = SchedulerBench()
        _ = bench.conditions([.background, .weakLink])
        #expect(bench.prefetch(1, .background, .weakLink) == [])
        #expect(bench.conditions(.background) == [.start(1)])
        #expect(bench.conditions([]) == [])
        #expect(bench.prefetch(2, .charging, []) == [.start(2)])
    }

    @Test func `a prefetch for idle times waits for the last that a caller wants`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 8 }
        #expect(bench.submit(1) == [.start(1)])
        #expect(bench.prefetch(2, .idle) == [])
        #expect(bench.prefetch(3, []) == [.start(3)], "another prefetch is nothing that a caller wants")
        #expect(bench.retry(7, after: .seconds(5)) == [.backOff(7)])
        #expect(bench.end(1) == [])
        #expect(bench.pass(.seconds(5)) == [.start(7)])
        #expect(bench.submit(4) == [.start(4)])
        #expect(bench.end(7) == [])
        #expect(bench.end(4) == [.start(2)])
        #expect(bench.submit(5) == [.start(5)])
        #expect(bench.prefetch(6, .idle) == [])
        #expect(bench.cancel(5) == [.start(6)])
    }

    @Test func `a prefetch for idle times that is about to start waits again when a caller wants a page`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 2 }
        #expect(bench.prefetch(1, .idle) == [.start(1)])
        #expect(bench.prefetch(2, .idle) == [], "the last free slot is for others")
        #expect(bench.submit(3) == [.start(3)])
        #expect(bench.end(1) == [])
        #expect(bench.reprioritize(2, .high) == [.start(2)], "somebody looks at its page now")
        #expect(bench.prefetch(4, .idle) == [])
        #expect(bench.end(2) == [])
        #expect(bench.end(3) == [.start(4)])
    }

    @Test func `prefetches for idle times keep their order, however often callers want pages meanwhile`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 2 }
        #expect(bench.prefetch(1, []) == [.start(1)])
        for id in [9, 5, 7] as [UInt64] { #expect(bench.prefetch(id, .idle) == []) }
        for id in 20...25 as ClosedRange<UInt64> {
            #expect(bench.submit(id) == [.start(id)])
            #expect(bench.end(id) == [])
        }
        #expect(bench.end(1) == [.start(9)])
        #expect(bench.end(9) == [.start(5)])
        #expect(bench.end(5) == [.start(7)])
    }

    @Test func `a neighbor that is wanted ahead for idle times as well is not kept waiting by what a caller wants`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 4 }
        _ = bench.conditions(.lowPower)
        #expect(bench.submit(1) == [.start(1)])
        let both: Set<PaginatorConditions> = [[], [.idle, .lowPower]]
        let neighbor = SchedulerDemand(priority: .low, wanted: .ahead(both, mayWait: false))
        #expect(bench.feed(.submit(SchedulerTask(client: bench.client, id: 2), neighbor)) == [.refuse(2, .heldBack)])
    }

    @Test func `where nobody tells of a device there is power`() {
        var bench = SchedulerBench()
        #expect(bench.prefetch(1, .charging) == [.start(1)])
        #expect(bench.feed(.conditionsAtStart([])) == [])
        #expect(bench.prefetch(2, .charging) == [])
    }

    @Test func `a prefetch that runs when conditions change goes on, and others wait for them again`() {
        var bench = SchedulerBench { $0.maxParallelCalls = 2 }
        _ = bench.conditions([.background, .charging])
        #expect(bench.prefetch(1, [.background, .charging]) == [.start(1)])
        #expect(bench.prefetch(2, [.background, .charging]) == [])
        #expect(bench.conditions(.background) == [])
        #expect(bench.end(1) == [])
        #expect(bench.statistics.held == 1)
        #expect(bench.conditions([.background, .charging]) == [.start(2)])
    }
}
