import ArgumentParser
import FeedSoak
import Foundation

/// Kills clients at random moments, many times.
struct FeedSoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed-soak",
        abstract: "Kill clients at random while the network fails, and check that what they wrote arrives once.")

    @Option(help: "How many clients.")
    var rounds = 200

    @Option(help: "The first round's seed; each further round has the next number.")
    var seed: UInt64 = 1

    func run() async throws {
        let soak = FeedSoak(executable: URL(filePath: CommandLine.arguments[0]))
        var complaints: [String] = []
        for round in 0..<rounds {
            complaints += try await soak.round(seed: seed &+ UInt64(round))
            if (round + 1) % 20 == 0 { Transcript.say("\(round + 1) rounds, \(complaints.count) complaints") }
        }
        for complaint in complaints { Transcript.say(complaint) }
        guard complaints.isEmpty else { throw ExitCode.failure }
        Transcript.say("feed-soak: ok, \(rounds) rounds")
    }
}
