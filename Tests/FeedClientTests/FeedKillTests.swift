import FeedSoak
import Foundation
import Testing

/// `FEED_KILL_ROUNDS` says how many clients are killed, 20 by default.
@Suite(.timeLimit(.minutes(15))) struct FeedKillTests {
    @Test func `what a killed client had written down arrives once, in its order, through a failing network`()
        async throws
    {
        let rounds = ProcessInfo.processInfo.environment["FEED_KILL_ROUNDS"].flatMap { UInt64($0) } ?? 20
        let soak = FeedSoak(executable: Self.executable)
        try await withThrowingTaskGroup(of: (UInt64, [String]).self) { group in
            // A few at a time: each is two processes and a backend.
            var next: UInt64 = 1
            while next <= min(4, rounds) {
                let seed = next
                group.addTask { (seed, try await soak.round(seed: seed, lives: 2)) }
                next += 1
            }
            while let (seed, complaints) = try await group.next() {
                #expect(complaints.isEmpty, "seed \(seed)")
                guard next <= rounds else { continue }
                let seed = next
                group.addTask { (seed, try await soak.round(seed: seed, lives: 2)) }
                next += 1
            }
        }
    }

    /// The example, which lies beside the tests.
    private static var executable: URL {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let candidates = [Bundle.main.bundleURL, folder, Bundle.main.bundleURL.deletingLastPathComponent()]
            .map { $0.appendingPathComponent("FeedChatExample") }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? candidates[1]
    }
}
