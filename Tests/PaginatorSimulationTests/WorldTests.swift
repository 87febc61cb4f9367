import PaginatorSimulation
import Testing

/// Lists, paginators, store, scheduler, server, disk and user in simulated worlds; see `scripts/simulate`.
@Suite struct WorldTests {
    @Test(arguments: 0..<10)
    func `every world keeps the promises`(_ group: Int) {
        for number in 0..<20 {
            let seed = UInt64(group * 1_000 + number)
            let outcome = Simulation.run(seed: seed, config: .dense(seed: seed))
            #expect(outcome.failures.isEmpty, "seed \(seed): \(outcome.failures.joined(separator: "; "))")
            if !outcome.failures.isEmpty { return }
        }
    }

    @Test func `the same seed gives the same trace`() {
        for seed in UInt64(0)..<12 {
            let config = WorldConfig.dense(seed: seed)
            let first = Simulation.run(seed: seed, config: config)
            let second = Simulation.run(seed: seed, config: config)
            #expect(first.trace == second.trace, "seed \(seed)")
            #expect(first.steps == second.steps, "seed \(seed)")
        }
        let traces = (UInt64(0)..<12).map { Simulation.run(seed: $0, config: .dense(seed: $0)).trace }
        #expect(Set(traces).count == traces.count)
    }
}
