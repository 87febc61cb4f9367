#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How one run of a world went.
package struct SimulationOutcome: Sendable {
    package var seed: UInt64
    package var failures: [String]
    package var steps: Int
    /// Virtual time in seconds, without what the device slept.
    package var simulatedSeconds: Double
    /// Time of the core that it took, in seconds.
    package var seconds: Double
    /// What happened, as one number.
    package var trace: UInt64
    /// What happened, in words, where that was asked for.
    package var log: [String]
}

/// Runs worlds.
package enum Simulation {
    /// Runs the world of a seed; the same arguments give the same trace.
    ///
    /// - Parameters:
    ///   - seed: everything that is random.
    ///   - config: how large the world is.
    ///   - plan: what happens to it; by default what follows from the seed.
    ///   - keepsLog: whether to tell in words what happened.
    package static func run(
        seed: UInt64, config: WorldConfig, plan: [WorldEvent]? = nil, keepsLog: Bool = false
    ) -> SimulationOutcome {
        run(World(seed: seed, config: config), plan: plan, keepsLog: keepsLog)
    }

    static func run(_ world: World, plan: [WorldEvent]?, keepsLog: Bool) -> SimulationOutcome {
        let start = coreTime()
        if keepsLog { world.log = [] }
        world.run(plan ?? WorldEvent.plan(world.config, seed: world.seed))
        return SimulationOutcome(
            seed: world.seed, failures: world.failures, steps: world.steps,
            simulatedSeconds: Double(world.timeline.awake) * 1e-9,
            seconds: coreTime() - start,
            trace: world.trace.value, log: world.log ?? [])
    }

    /// The time that a core has spent on this thread: what else runs on the machine does not count.
    package static func coreTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Looks for a shorter plan that fails in the same way, by leaving out ever smaller parts.
    ///
    /// Delta debugging, after Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (IEEE TSE 2002).
    package static func shrink(seed: UInt64, config: WorldConfig, _ failing: [WorldEvent]) -> [WorldEvent] {
        let kind = run(seed: seed, config: config, plan: failing).failures.first.map(Self.kind)
        func fails(_ plan: [WorldEvent]) -> Bool {
            run(seed: seed, config: config, plan: plan).failures.first.map(Self.kind) == kind
        }
        var plan = failing
        var parts = 2
        while plan.count >= 2 {
            let size = (plan.count + parts - 1) / parts
            let starts = stride(from: 0, to: plan.count, by: size)
            let shorter = starts.lazy.map { start in
                Array(plan[..<start] + plan[min(plan.count, start + size)...])
            }.first(where: fails)
            if let shorter {
                plan = shorter
                parts = max(2, parts - 1)
            } else if size == 1 {
                break
            } else {
                parts = min(plan.count, parts * 2)
            }
        }
        return plan
    }

    /// What failed, without its numbers and names.
    private static func kind(_ failure: String) -> String {
        let text = failure.drop { $0 != ":" }.prefix(40)
        return String(text.filter { !$0.isNumber })
    }
}
