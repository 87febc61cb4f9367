import AppFoundation
import ExampleBackend
import FeedClient
import PaginatorCore
import PaginatorLists
import Testing

/// What the feed's screen does beside reading: sharing, in batches, and loading ahead what may be opened.
@MainActor @Suite(.timeLimit(.minutes(1))) struct BatchTests {
    private func open(
        _ rig: FeedRig, rest: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> (app: FeedApp, feed: FeedStateHolder) {
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app, rest: rest)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 && !$0.isPaging }
        return (app, feed)
    }

    /// Refreshes the feed, and returns its state once the answer shows: another post has changed on the server.
    private func refreshed(_ feed: FeedStateHolder, _ rig: FeedRig) async throws -> FeedState {
        try rig.server.feed.edit(feed.state.items[5].id, content: "<p>changed</p>")
        feed.refresh()
        return try await feed.first { $0.items[5].text == "changed" && !$0.isRefreshing }
    }

    @Test func `a share in the feed shows at once, counts once, and is in the post too`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await open(rig)
        let row = feed.state.items[2]
        rig.server.faults.plan([.lostAnswer], "POST", "/v1/posts/\(row.id)/interactions")
        try await feed.share(row)
        let shared = try await feed.first { $0.items[2].shareCount == 1 }
        #expect(TextFrames.feed(shared, rows: 2..<3).contains("· 1 shared"))
        try await app.drained()
        #expect(try await refreshed(feed, rig).items[2].shareCount == 1)
        let detail = PostDetailStateHolder(app, post: row.id)
        try await detail.start()
        #expect(try await detail.first { $0.post != nil }.post?.shareCount == 1)
        try await rig.end(app)
    }

    @Test func `a share that the server has taken already counts once`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await open(rig)
        let row = feed.state.items[2]
        rig.server.faults.plan([.lostAnswer, .stall], "POST", "/v1/posts/\(row.id)/interactions")
        try await feed.share(row)
        try await rig.server.faults.waitForRequests(2, "POST", "/v1/posts/\(row.id)/interactions")
        #expect(try await refreshed(feed, rig).items[2].shareCount == 1)
        #expect(app.posts.list.snapshot[2].shareCount == 1)
        try await feed.share(feed.state.items[2])
        _ = try await feed.first { $0.items[2].shareCount == 2 }
        rig.server.faults.heal()
        try await app.drained()
        #expect(feed.state.items[2].shareCount == 2)
        try await rig.end(app)
    }

    @Test func `what has waited goes in one request, in its order, and once though its answer is lost`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await open(rig)
        await rig.goOffline()
        let rows = Array(feed.state.items.prefix(20))
        for row in rows { try await feed.share(row) }
        try await feed.toggleLike(rows[0])
        rig.server.faults.plan([.lostAnswer], "POST", "/v1/interactions")
        await rig.goOnline()
        try await app.drained()
        let taken = try rig.server.feed.interactions(of: rig.user())
        #expect(taken.map(\.postId) == rows.map(\.id) + [rows[0].id])
        #expect(taken.map(\.type) == Array(repeating: "SHARED", count: 20) + ["LIKED"])
        #expect(taken.allSatisfy { $0.repetitions == 1 })
        #expect(rig.server.faults.count("POST", "/v1/interactions") == 2)
        #expect(rig.server.faults.count("POST", "/v1/posts") == 0)
        try await rig.end(app)
    }

    @Test func `a post that is gone keeps no other interaction of its batch from the server`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await open(rig)
        await rig.goOffline()
        let rows = Array(feed.state.items.prefix(3))
        for row in rows { try await feed.share(row) }
        try rig.server.feed.delete(rows[1].id)
        await rig.goOnline()
        try await app.drained()
        #expect(try rig.server.feed.interactions(of: rig.user()).map(\.postId) == [rows[0].id, rows[2].id])
        _ = try await feed.first { !$0.items.prefix(5).contains { $0.id == rows[1].id } }
        try await rig.end(app)
    }

    @Test func `a batch that the server refuses is sent one by one`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await open(rig)
        await rig.goOffline()
        let rows = Array(feed.state.items.prefix(3))
        for row in rows { try await feed.share(row) }
        rig.server.faults.plan([.status(400)], "POST", "/v1/interactions")
        await rig.goOnline()
        try await app.drained()
        #expect(try rig.server.feed.interactions(of: rig.user()).map(\.postId) == rows.map(\.id))
        #expect(rig.server.faults.count("POST", "/v1/posts") == 3)
        try await rig.end(app)
    }

    @Test func `posts that somebody rests on are loaded ahead, and open without a connection`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await open(rig)
        // Scrolled past; rested on.
        feed.visible(0..<3)
        feed.visible(5..<8)
        try await rig.server.faults.waitForRequests(3, "GET", "/v1/posts")
        let id = feed.state.items[6].id
        while app.posts.details.peek(key: "\(id)", pageSize: 1) == nil { try await nextTurn() }
        await rig.goOffline()
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        #expect(try await detail.first { $0.post != nil }.post?.id == id)
        #expect(rig.server.faults.count("GET", "/v1/posts/\(feed.state.items[0].id)") == 0)
        try await rig.end(app)
    }

    @Test func `over a weak link and in low power, posts are loaded when they are opened`() async throws {
        let rig = try await FeedRig()
        let rests = Guarded(0)
        let (app, feed) = try await open(rig) { rests.withLock { $0 += 1 } }
        rig.environment.update { $0.isLowPower = true }
        feed.visible(0..<3)
        while rests.withLock({ $0 == 0 }) { try await nextTurn() }
        rig.environment.update { $0.isLowPower = false }
        feed.visible(4..<5)
        let id = feed.state.items[4].id
        try await rig.server.faults.waitForRequests(1, "GET", "/v1/posts/\(id)")
        #expect(rig.server.faults.count("GET", "/v1/posts") == 1)
        try await rig.end(app)
    }
}
