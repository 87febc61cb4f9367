import AppFoundation
import ExampleBackend
import FeedClient
import Testing

/// An app that finds out by itself whether there is a connection.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test func `an outage shows, holds what is asked for, and ends by itself with the news and what waited`()
        async throws
    {
        var rig = try await FeedRig()
        rig.options.watchesConnection = true
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let row = try await feed.first { !$0.items.isEmpty && !$0.isPaging }.items[3]
        #expect(!feed.state.isOffline)
        await rig.server.stop()
        feed.refresh()
        // The failed call is the reason to ask; no interval has to pass.
        let offline = try await feed.first { $0.isOffline && $0.errorMessage != nil && !$0.isRefreshing }
        #expect(offline.items.count >= 30)
        let attempts = app.interactions.outbox.statistics.attempts
        try await feed.toggleLike(row)
        _ = try await feed.first { $0.items[3].isLiked != row.isLiked }
        #expect(try await app.interactions.waitingCount() == 1)
        feed.refresh()
        let message = try await feed.first { !$0.isRefreshing && $0.errorMessage?.hasPrefix("You are offline") == true }
        #expect(message.isOffline)
        #expect(app.interactions.outbox.statistics.attempts == attempts)
        let news = try rig.server.feed.add("news", by: try rig.user("Somebody"))
        try await rig.server.start()
        // Nobody taps.
        _ = try await feed.first { !$0.isOffline && $0.errorMessage == nil && $0.items.first?.id == news }
        try await app.drained()
        #expect(try rig.server.feed.interactions(of: rig.user()).map(\.postId) == [row.id])
        try await rig.end(app)
    }

    @Test func `a server that answers with an error is a connection`() async throws {
        var rig = try await FeedRig()
        rig.options.watchesConnection = true
        let app = try await rig.signIn()
        rig.server.faults.plan(Array(repeating: .status(503), count: 20))
        let feed = FeedStateHolder(app)
        feed.start()
        let failed = try await feed.first { $0.errorMessage != nil }
        #expect(failed.errorMessage == "The server cannot be reached.")
        #expect(!failed.isOffline)
        rig.server.faults.heal()
        try await rig.end(app)
    }

    @Test func `a post that could not be loaded comes when the connection is back`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let id = try await app.firstPost()
        await rig.goOffline()
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        _ = try await detail.first { $0.errorMessage != nil }
        await rig.goOnline()
        _ = try await detail.first { $0.post?.id == id && $0.errorMessage == nil }
        try await rig.end(app)
    }
}
