import PaginatorSimulation

#if canImport(PaginatorInspector)
    import Foundation
    import PaginatorInspector
#endif

/// Runs the worlds of some seeds; replays and shrinks the first that fails.
struct WorldCommand {
    private let first: UInt64
    private let seeds: Int
    private let events: Int?
    private let isDense: Bool
    private let tellsAll: Bool
    private let isBrief: Bool
    private let file: String?

    init(_ arguments: Arguments) {
        isDense = arguments.has("dense")
        let seed = arguments.number("seed")
        first = UInt64(seed ?? 1)
        seeds = arguments.number("seeds") ?? (seed == nil ? 20 : 1)
        events = arguments.number("events")
        tellsAll = arguments.has("log")
        isBrief = arguments.has("brief")
        file = arguments.text("record")
    }

    private func config(_ seed: UInt64) -> WorldConfig {
        var config = isDense ? WorldConfig.dense(seed: seed) : .standard
        if let events { config.events = events }
        return config
    }

    /// Returns whether every world kept its promises.
    func run() -> Bool {
        if let file { return record(to: file) }
        var steps = 0
        var simulated = 0.0
        var seconds = 0.0
        var traces: UInt64 = 0
        for number in 0..<seeds {
            let seed = first + UInt64(number)
            let outcome = Simulation.run(seed: seed, config: config(seed), keepsLog: tellsAll)
            if tellsAll { for line in outcome.log { print(line) } }
            steps += outcome.steps
            simulated += outcome.simulatedSeconds
            seconds += outcome.seconds
            traces = traces &* 31 &+ outcome.trace
            if let failure = outcome.failures.first {
                if isBrief { print("seed \(seed) failed: \(failure)") } else { tell(outcome) }
                return false
            }
            if seed < 300, !UserWorld.notServed.contains(seed), let problem = UserWorld.run(seed: seed).problems.first {
                print(isBrief ? "seed \(seed) failed: \(problem)" : "user's world, \(UserWorld.report(seed: seed))")
                return false
            }
        }
        let config = config(first)
        print("\(isDense ? "dense" : "standard") worlds: \(seeds), from seed \(first)")
        if !isDense {
            let lists = config.paginators * config.scopes * config.listsPerScope
            print("lists: \(lists), events a second: \(config.eventsPerSecond), events: \(config.events)")
        }
        print("simulated: \(Int(simulated)) s in \(rounded(seconds)) s of one core")
        print("steps a second: \(Int(Double(steps) / seconds))")
        print("simulated against real time: \(Int(simulated / seconds)) x")
        print("traces: \(traces)")
        return true
    }

    /// Records the first world.
    private func record(to path: String) -> Bool {
        #if canImport(PaginatorInspector)
            let (outcome, recording) = Simulation.record(seed: first, config: config(first))
            do {
                try recording.write(to: URL(filePath: path), withKeys: true)
            } catch {
                print("the recording could not be written: \(error)")
                return false
            }
            for failure in outcome.failures { print("seed \(first) failed: \(failure)") }
            print("recorded: \(recording.eventCount) events of \(Int(outcome.simulatedSeconds)) s")
            return outcome.failures.isEmpty
        #else
            print("this was built without the recorder; use scripts/simulate --record")
            return false
        #endif
    }

    private func tell(_ outcome: SimulationOutcome) {
        print("seed \(outcome.seed) failed:")
        for failure in outcome.failures { print("  \(failure)") }
        let config = config(outcome.seed)
        let again = Simulation.run(seed: outcome.seed, config: config)
        let isSame = again.trace == outcome.trace && again.failures == outcome.failures
        print(isSame ? "replayed exactly, trace \(again.trace)" : "the replay differs: \(again.failures)")
        let plan = WorldEvent.plan(config, seed: outcome.seed)
        let shortest = Simulation.shrink(seed: outcome.seed, config: config, plan)
        print("\(shortest.count) of \(plan.count) events suffice:")
        for event in shortest { print("  \(event)") }
        let last = Simulation.run(seed: outcome.seed, config: config, plan: shortest, keepsLog: true)
        print("what happens then:")
        for line in last.log.suffix(60) { print("  \(line)") }
    }

    private func rounded(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }
}
