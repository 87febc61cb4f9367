import PaginatorInspector
import PaginatorSimulation
import Testing

/// Worlds that are recorded, for the page in the browser.
@Suite struct WorldRecordingTests {
    @Test func `a world that is recorded goes as it does without`() {
        for seed in UInt64(0)..<12 {
            let config = WorldConfig.dense(seed: seed)
            let alone = Simulation.run(seed: seed, config: config)
            let (outcome, recording) = Simulation.record(seed: seed, config: config)
            #expect(outcome.trace == alone.trace, "seed \(seed)")
            #expect(outcome.steps == alone.steps, "seed \(seed)")
            #expect(outcome.failures == alone.failures, "seed \(seed)")
            #expect(recording.eventCount > config.events)
        }
    }

    @Test func `the same seed gives the same bytes`() {
        for seed in UInt64(0)..<6 {
            let config = WorldConfig.dense(seed: seed)
            let (first, second) = (
                Simulation.record(seed: seed, config: config).recording,
                Simulation.record(seed: seed, config: config).recording
            )
            #expect(first.data(withKeys: true) == second.data(withKeys: true), "seed \(seed)")
        }
    }

    @Test func `what lives in a world has names, and those that died have ended`() throws {
        // A world in which a process dies.
        let config = WorldConfig.dense(seed: 1)
        let recording = Simulation.record(seed: 1, config: config).recording
        #expect(recording.names.contains("Scheduler, process 1"))
        #expect(recording.names.contains("Store, process 1"))
        #expect(recording.names.contains("Paginator 0, process 1"))
        #expect(recording.names.contains("List 0 of paginator 0, process 1"))
    }

    @Test func `a promise that was not kept stands where it was noticed`() throws {
        let seed: UInt64 = 3
        var config = WorldConfig.dense(seed: seed)
        // No world keeps so few pages.
        config.memoryPages = -1
        let (outcome, recording) = Simulation.record(seed: seed, config: config)
        let failure = try #require(outcome.failures.first)
        let text = recording.text(withKeys: true)
        let message = failure.split(separator: ": ", maxSplits: 1)[1]
        #expect(text.contains(message), "\(failure)")
        let again = Simulation.record(seed: seed, config: config).recording
        #expect(again.data(withKeys: true) == recording.data(withKeys: true))
    }
}
