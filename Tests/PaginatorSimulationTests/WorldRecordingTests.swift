import Foundation
import PaginatorInspector
import PaginatorSimulation
import Testing

/// Worlds that are recorded, for the page in the browser.
@Suite struct WorldRecordingTests {
    @Test func `a world that is recorded goes as it does without`() {
        for seed in UInt64(0)..<6 {
            let config = WorldConfig.dense(seed: seed)
            let alone = Simulation.run(seed: seed, config: config)
            let (outcome, recording) = Simulation.record(seed: seed, config: config)
            #expect(outcome.trace == alone.trace, "seed \(seed)")
            #expect(outcome.steps == alone.steps, "seed \(seed)")
            #expect(outcome.failures == alone.failures, "seed \(seed)")
            #expect(recording.eventCount > config.events)
        }
    }

    #if os(Linux) || os(macOS)
        /// A process of its own, in which tables of hashed values are walked in the same order each time, as
        /// scripts/simulate starts it.
        @Test func `the same seed gives the same bytes`() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            for seed in [3, 4] {
                let files = try ["first", "second"].map { name in
                    let file = folder.appendingPathComponent("\(name)-\(seed)")
                    let process = Process()
                    process.executableURL = Self.simulate
                    process.arguments = ["--dense", "--seed", "\(seed)", "--record", file.path]
                    process.environment = ["SWIFT_DETERMINISTIC_HASHING": "1"]
                    process.standardOutput = FileHandle.nullDevice
                    try process.run()
                    process.waitUntilExit()
                    #expect(process.terminationStatus == 0)
                    return try Data(contentsOf: file)
                }
                #expect(files[0] == files[1], "seed \(seed)")
                let recording = try PaginatorRecording(data: files[0])
                #expect(recording.eventCount > 0 && !recording.hasHashedKeys && recording.lostEvents == 0)
            }
        }

        /// The program, which lies beside the tests' own.
        private static var simulate: URL {
            let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            let places = [Bundle.main.bundleURL, folder, Bundle.main.bundleURL.deletingLastPathComponent()]
                .map { $0.appendingPathComponent("simulate") }
            return places.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? places[1]
        }
    #endif

    @Test func `what lives in a world has a name`() {
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
        // The least that a scheduler takes is one.
        config.maxParallelCalls = 0
        let (outcome, recording) = Simulation.record(seed: seed, config: config)
        let failure = try #require(outcome.failures.first)
        let text = recording.text(withKeys: true)
        let message = failure.split(separator: ": ", maxSplits: 1)[1]
        #expect(text.contains(message), "\(failure)")
    }
}
