import AppFoundation
import ArgumentParser
import FeedClient
import Foundation

/// A client in a process of its own, which does what it is told line by line, and may be killed at any time.
///
/// It answers each line with one line, `ok` and more, after what was asked is on disk.
struct FeedClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed-client", abstract: "Run a client of the feed that takes its commands from standard input.")

    @Option(help: "Where the backend is.")
    var url: String

    @Option(help: "The folder that keeps everything.")
    var root: String

    @Option(help: "The user to sign in; without one the user of the last run is used.")
    var signIn: String?

    @Flag(help: "Start without a connection.")
    var offline = false

    func run() async throws {
        guard let baseURL = URL(string: url) else { throw ValidationError("\(url) is no address") }
        let root = URL(filePath: root)
        let environment = AppEnvironment(AppEnvironment.State(link: offline ? .none : .good))
        let opened: FeedApp? =
            if let signIn {
                try await FeedApp.signIn(signIn, at: baseURL, root: root, environment: environment)
            } else {
                try await FeedApp.open(root: root, at: baseURL, environment: environment)
            }
        guard let app = opened else { throw ValidationError("nobody is signed in") }
        let session = await FeedClientSession(app)
        Transcript.say("ok ready")
        for await line in Self.standardInput() {
            guard let answer = try await session.answer(line) else { break }
            Transcript.say("ok \(answer)")
        }
        try await app.close()
    }

    /// The lines that come in, read on a thread of their own.
    private static func standardInput() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}

/// What a client can be told.
@MainActor final class FeedClientSession {
    private let app: FeedApp
    private let feed: FeedStateHolder

    init(_ app: FeedApp) {
        self.app = app
        feed = FeedStateHolder(app)
    }

    /// Does what a line says; `nil` at the end.
    func answer(_ line: String) async throws -> String? {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        let id = words.count > 1 ? Int64(words[1]) ?? 0 : 0
        switch words.first {
        case "load":
            feed.start()
            let state = await feed.first { !$0.items.isEmpty || $0.errorMessage != nil }
            // What is on disk is not lost by a kill from here on.
            try await app.posts.flush()
            while try await app.feedMetadata().lastRefreshed == nil { await Task.yield() }
            return state.items.map { "\($0.id)" }.joined(separator: " ")
        case "row":
            guard let row = feed.state.items.first(where: { $0.id == id }) else { return "none" }
            return "\(row.isLiked ? "liked" : "not-liked") \(row.likeCount)"
        case "offline": app.environment.update { $0.link = .none }
        case "online": app.environment.update { $0.link = .good }
        case "like": return try await app.interactions.interact(.liked, on: id)
        case "unlike": return try await app.interactions.interact(.removedLike, on: id)
        case "share": return try await app.interactions.interact(.shared, on: id)
        case "comment": try await app.addComment(words[2], on: id)
        case "post": try await app.publishPost(line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "")
        case "waiting": return "\(try await app.interactions.waitingCount())"
        default: return nil
        }
        return "done"
    }
}
