import Testing

@testable import PaginatorCore

@Suite struct SchedulerFairnessTests {
    /// Ends running work one by one under a steady stream of urgent work and returns the order of the starts.
    private func starts(
        _ bench: inout SchedulerBench, low count: UInt64, rounds: Int, each: Duration = .milliseconds(100)
    ) -> [UInt64] {
        var running: [UInt64] = [1]
        var order: [UInt64] = []
        var urgent: UInt64 = 1_000
        #expect(bench.submit(1, .high) == [.start(1)])
        for id in 2..<(count + 2) { #expect(bench.submit(id, .low) == []) }
        for _ in 0..<rounds {
            urgent += 1
            #expect(bench.submit(urgent, .high) == [])
            bench.now = bench.now.advanced(by: each)
            for case .start(let id) in bench.end(running.removeFirst()) {
                running.append(id)
                order.append(id)
            }
        }
        return order
    }

    @Test func `a low task starts under a steady stream of urgent ones`() throws {
        var bench = SchedulerBench { $0.maxParallelCalls = 1 }
        let order = starts(&bench, low: 1, rounds: 60)
        // It ages after two seconds, which is after the twentieth start, and starts next.
        #expect(order.firstIndex(of: 2) == 20)
    }

    @Test func `one start in eight goes to the oldest aged and no more`() {
        var bench = SchedulerBench {
            $0.maxParallelCalls = 1
            $0.agingBound = .zero
        }
        let order = starts(&bench, low: 10, rounds: 80)
        let low = order.indices.filter { order[$0] < 1_000 }
        #expect(low.map { order[$0] } == Array(2...11))
        #expect(low.first.map { $0 < 8 } == true)
        #expect(zip(low, low.dropFirst()).allSatisfy { $1 - $0 == 8 })
    }

    @Test func `an aged prefetch still leaves the last slot free`() {
        var bench = SchedulerBench {
            $0.maxParallelCalls = 2
            $0.agingBound = .zero
        }
        #expect(bench.submit(1, .high) == [.start(1)])
        #expect(bench.submit(2, .low, prefetch: true) == [])
        #expect(bench.pass(.minutes(1)) == [])
        #expect(bench.submit(3, .low) == [.start(3)])
        #expect(bench.end(1) == [])
        #expect(bench.end(3) == [.start(2)])
    }
}
