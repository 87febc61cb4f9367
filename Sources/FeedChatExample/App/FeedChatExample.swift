import ArgumentParser
import ExampleBackend
import FeedClient
import Foundation

/// A news feed and a chat built on the library: a backend and its clients.
@main struct FeedChatExample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FeedChatExample",
        abstract: "A news feed and a chat on top of the Paginator library.",
        subcommands: [
            RunCommand.self, OpenCommand.self, AppCommand.self, BackendCommand.self, FeedClientCommand.self,
            ChatClientCommand.self, FeedSoakCommand.self, CompareCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}

/// Runs the stories, and checks everything that they show.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run the backend and clients of it, and check everything that is shown.")

    func run() async throws {
        endInTime()
        guard try await Self.tellStories() else { throw ExitCode.failure }
    }

    /// Returns whether all checks passed.
    @MainActor private static func tellStories() async throws -> Bool {
        let transcript = Transcript()
        try await FeedStory.tell(transcript)
        try await ChatStory.tell(transcript)
        return transcript.conclude()
    }

    /// Ends a run that hangs, because a missing answer is also a failure.
    private func endInTime(_ limit: TimeInterval = 120) {
        DispatchQueue.global().asyncAfter(deadline: .now() + limit) {
            Transcript.say("run: not finished after \(Int(limit)) seconds")
            Foundation.exit(1)
        }
    }
}

/// Runs the backend alone.
struct BackendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend", abstract: "Run the backend alone, until it is interrupted.")

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: UInt16 = 8_080

    @Option(help: "The file that keeps everything; without one it is kept in memory.")
    var database: String?

    @Option(help: "How many posts a new backend has.")
    var posts = 3_000

    @Flag(help: "Fill a new backend with what people write, and not with texts that are hard to get right.")
    var everyday = false

    @Flag(help: "End when the standard input does.")
    var endsWithInput = false

    func run() async throws {
        var configuration = BackendConfiguration()
        configuration.corpus = everyday ? .everyday : .awkward
        configuration.port = port
        configuration.databasePath = database
        configuration.corpusSize = posts
        configuration.hasControl = true
        let server = try BackendServer(configuration)
        let url = try await server.start()
        Transcript.say("listening at \(url)")
        guard endsWithInput else { return try await server.serve() }
        for await _ in StandardInput.lines() {}
        await server.stop()
    }
}
