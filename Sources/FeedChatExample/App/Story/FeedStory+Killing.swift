import ExampleBackend
import FeedSoak
import Foundation

extension FeedStory {
    /// A client in its own process is killed while only its disk has a like.
    func likeAndKill() async throws {
        transcript.begin("Grace likes a post offline, and her phone kills the app")
        let executable = URL(filePath: CommandLine.arguments[0])
        let folder = root.appending(path: "grace")
        let first = try await ClientProcess(executable, url: url, root: folder, signIn: "Grace")
        let posts = (try await first.ask("load") ?? "").split(separator: " ").compactMap { Int64($0) }
        transcript.verify(posts.count, equals: 30, "process \(first.identifier) shows the first page")
        guard let post = posts.first else { return }
        let likes = try server.feed.likeCount(of: post)
        _ = try await first.ask("offline")
        let request = try await first.ask("like \(post)")
        await first.kill()
        transcript.note("like \(request ?? "?") is written down, nothing was sent, SIGKILL")
        let grace = try user("Grace")
        transcript.verify(try server.feed.interactions(of: grace).isEmpty, "the server knows nothing of it")

        transcript.begin("The app starts again, still offline")
        // Ada's app continues meanwhile, and may prefetch posts.
        func requests() -> Int { server.faults.count("GET", "/v1/feed") + server.faults.count("POST") }
        let before = requests()
        let second = try await ClientProcess(executable, url: url, root: folder, isOffline: true)
        let again = (try await second.ask("load") ?? "").split(separator: " ").compactMap { Int64($0) }
        transcript.verify(again, equals: posts, "process \(second.identifier) shows the same posts, from disk")
        transcript.verify(
            try await second.ask("row \(post)") ?? "", equals: "liked \(likes + 1)", "the like is there")
        transcript.verify(requests(), equals: before, "the server was not asked")

        transcript.begin("It connects, over a network that loses the answer")
        server.faults.plan([.lostAnswer], "POST", "/v1/posts/\(post)")
        _ = try await second.ask("online")
        while try await second.ask("waiting") != "0" { try await Task.sleep(for: .milliseconds(20)) }
        let taken = try server.feed.interactions(of: grace)
        transcript.verify(taken.map(\.requestId), equals: [request ?? ""], "the server has the like exactly once")
        transcript.verify(taken.first?.repetitions, equals: 1, "though it was sent twice")
        transcript.verify(try server.feed.likeCount(of: post), equals: likes + 1, "and counts it once")
        try await second.quit()
    }
}
