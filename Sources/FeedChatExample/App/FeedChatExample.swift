import ArgumentParser

/// A news feed on top of the library: a server and a client of it in one process.
@main struct FeedChatExample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FeedChatExample",
        abstract: "A news feed on top of the Paginator library.",
        subcommands: [StoryCommand.self, BackendCommand.self, ReaderCommand.self],
        defaultSubcommand: StoryCommand.self)
}

/// Runs the server and a client of it, and checks everything that it shows.
struct StoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "story", abstract: "Run the server and a client of it, and check everything that is shown.")

    func run() async throws {
        guard try await FeedStory.run() else { throw ExitCode.failure }
    }
}

/// Runs the server alone.
struct BackendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backend", abstract: "Run the server alone, until it is interrupted.")

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: UInt16 = 8_080

    func run() async throws {
        let (url, serving) = try await FeedServer(port: port).start()
        Transcript.say("GET \(url)/v1/feed?after=&limit=30")
        try await serving.value
    }
}
