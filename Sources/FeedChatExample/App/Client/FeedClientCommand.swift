import AppFoundation
import ArgumentParser
import FeedClient
import Foundation

/// A client of the feed in its own process, which executes commands line by line.
struct FeedClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed-client", abstract: "Run a client of the feed that takes its commands from standard input.")

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let (baseURL, environment) = (try options.baseURL(), options.makeEnvironment())
        // Commands set whether it has a connection.
        var feedOptions = FeedOptions()
        feedOptions.watchesConnection = false
        let opened: FeedApp? =
            if let name = options.signIn {
                try await FeedApp.signIn(
                    name, at: baseURL, root: options.rootFolder, environment: environment, options: feedOptions)
            } else {
                try await FeedApp.open(
                    root: options.rootFolder, at: baseURL, environment: environment, options: feedOptions)
            }
        guard let app = opened else { throw ValidationError("nobody is signed in") }
        try await FeedClientSession(app).serve()
        try await app.close()
    }
}

/// The commands of a feed client.
@MainActor final class FeedClientSession: LineClient {
    private let app: FeedApp
    private let feed: FeedStateHolder

    init(_ app: FeedApp) {
        self.app = app
        feed = FeedStateHolder(app)
    }

    func answer(_ line: String) async throws -> String? {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        let id = words.count > 1 ? Int64(words[1]) ?? 0 : 0
        switch words.first {
        case "load":
            feed.start()
            let state = try await feed.first { !$0.items.isEmpty || $0.errorMessage != nil }
            // From here on a kill loses nothing that is on disk.
            try await app.posts.flush()
            while try await app.feedMetadata().lastRefreshed == nil {
                try await Task.sleep(for: .milliseconds(5))
            }
            return state.items.map { "\($0.id)" }.joined(separator: " ")
        case "row":
            guard let row = feed.state.items.first(where: { $0.id == id }) else { return "none" }
            return "\(row.isLiked ? "liked" : "not-liked") \(row.likeCount)"
        case "offline": app.environment.update { $0.link = .none }
        case "online": app.environment.update { $0.link = .good }
        case "like": return try await app.interactions.interact(.liked, on: id)
        case "unlike": return try await app.interactions.interact(.removedLike, on: id)
        case "share":
            let row = feed.state.items.first { $0.id == id }
            return try await app.interactions.share(id, seeing: row?.shareCount ?? 0)
        case "comment": try await app.addComment(words[2], on: id)
        case "post": try await app.publishPost(line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "")
        case "waiting": return "\(try await app.interactions.waitingCount())"
        default: return nil
        }
        return "done"
    }
}
