import AppFoundation
import ExampleBackend
import FeedClient
import Foundation
import PaginatorAsync
import PaginatorCore
import Testing

@MainActor @Suite(.timeLimit(.minutes(3))) struct FeedFollowingTests {
    private let events = PaginatorEvents()

    /// A feed that follows its server, with its first page.
    private func follow(_ rig: FeedRig) async throws -> (app: FeedApp, feed: FeedStateHolder) {
        var rig = rig
        rig.options.observer = events
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        let connections = events.makeAsyncIterator()
        app.posts.followServer()
        await Self.next(.followed, in: connections)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 }
        return (app, feed)
    }

    private static func next(
        _ kind: PaginatorEvent.Kind, in events: PaginatorSequence<PaginatorEvent, Never>.Iterator
    ) async {
        var events = events
        while let event = await events.next(), event.kind != kind {}
    }

    @Test func `edits and deletions by others show by themselves, also those during a lost connection`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await follow(rig)
        let ids = feed.state.items.map(\.id)
        try rig.server.feed.edit(ids[0], content: "<p>changed</p>")
        _ = try await feed.first { $0.items.first?.text == "changed" }
        try rig.server.feed.delete(ids[1])
        _ = try await feed.first { !$0.items.contains { $0.id == ids[1] } }
        let connections = events.makeAsyncIterator()
        await rig.server.stop()
        await Self.next(.followingLost, in: connections)
        try rig.server.feed.edit(ids[2], content: "<p>changed, then deleted</p>")
        try rig.server.feed.delete(ids[2])
        try rig.server.feed.edit(ids[3], content: "<p>changed once</p>")
        try rig.server.feed.edit(ids[3], content: "<p>changed twice</p>")
        let pages = rig.server.faults.arrivals.count { $0.path == "/v1/feed" }
        try await rig.server.start()
        let state = try await feed.first {
            !$0.items.contains { $0.id == ids[2] } && $0.items.contains { $0.text == "changed twice" }
        }
        #expect(state.items.map(\.id) == [ids[0]] + ids[3...])
        #expect(state.newAbove == 0)
        #expect(rig.server.faults.arrivals.count { $0.path == "/v1/feed" } == pages)
        try await rig.end(app)
    }

    #if canImport(FoundationNetworking)
        @Test func `a stream is opened only over a connection that another request has proved`() async throws {
            let rig = try await FeedRig()
            rig.server.faults.plan([.lostRequest, .lostAnswer], "GET", "/v1/health")
            let (app, _) = try await follow(rig)
            let asked = rig.server.faults.arrivals.map(\.path).filter {
                ["/v1/health", "/v1/feed/events"].contains($0)
            }
            #expect(asked.firstIndex(of: "/v1/feed/events") ?? 0 >= 3)
            try await rig.end(app)
        }
    #endif

    @Test func `new posts of others are counted, and shown once when the user wants them`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await follow(rig)
        feed.loadMore()
        let ids = try await feed.first { $0.items.count >= 60 }.items.map(\.id)
        let connections = events.makeAsyncIterator()
        await rig.server.stop()
        await Self.next(.followingLost, in: connections)
        let first = try rig.server.feed.add("first", by: try rig.user("Somebody"))
        try await rig.server.start()
        _ = try await feed.first { $0.newAbove == 1 }
        let second = try rig.server.feed.add("second", by: try rig.user("Somebody"))
        let told = try await feed.first { $0.newAbove == 2 }
        #expect(told.items.map(\.id) == ids)
        #expect(TextFrames.feed(told).contains("2 new posts"))
        feed.showNew()
        _ = try await feed.first { $0.newAbove == 0 && $0.items.first?.id == second }
        // Two of them had no place on the new first page any more.
        feed.visible(26..<36)
        let shown = try await feed.first { $0.items.contains { $0.id == ids[29] } }
        #expect(shown.items.prefix(62).map(\.id) == [second, first] + ids.prefix(60))
        try await rig.end(app)
    }

    @Test func `an own post is not announced as a new one`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await follow(rig)
        try await app.publishPost("<p>mine</p>")
        try await app.drained()
        let id = try rig.server.feed.add("<p>another</p>", by: try rig.user("Somebody"))
        let last = feed.state.items[20].id
        try rig.server.feed.edit(last, content: "<p>all has come</p>")
        let told = try await feed.first { $0.items.contains { $0.text == "all has come" } }
        #expect(told.newAbove == 1)
        #expect(told.items.first?.text == "mine")
        feed.showNew()
        let shown = try await feed.first { $0.items.first?.id == id }
        #expect(shown.items.count { $0.text == "mine" } == 1)
        try await rig.end(app)
    }

    @Test func `an own post is announced on the user's other devices, and a deleted one on none`() async throws {
        let rig = try await FeedRig()
        let other = try await rig.signInElsewhere()
        let (app, feed) = try await follow(rig)
        try await other.publishPost("<p>from elsewhere</p>")
        let told = try await feed.first { $0.newAbove == 1 }
        #expect(!told.items.contains { $0.text == "from elsewhere" })
        try await other.drained()
        let connections = events.makeAsyncIterator()
        await rig.server.stop()
        await Self.next(.followingLost, in: connections)
        try rig.server.feed.delete(try rig.server.feed.add("<p>gone</p>", by: try rig.user("Somebody")))
        try rig.server.feed.edit(feed.state.items[3].id, content: "<p>all has come</p>")
        try await rig.server.start()
        let state = try await feed.first { $0.items.contains { $0.text == "all has come" } }
        #expect(state.newAbove == 1)
        try await rig.end(app, other)
    }

    @Test func `edits and deletions by others reach the index of seen posts`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await follow(rig)
        let id = feed.state.items[0].id
        while try await app.posts.findSeen("Post 0").isEmpty { try await nextTurn() }
        try rig.server.feed.edit(id, content: "<p>xylophone</p>")
        while try await app.posts.findSeen("xylophone").isEmpty { try await nextTurn() }
        try rig.server.feed.delete(id)
        while try await !app.posts.findSeen("xylophone").isEmpty { try await nextTurn() }
        try await rig.end(app)
    }

    @Test func `following ends with the session, says so, and goes on after a new sign-in`() async throws {
        let rig = try await FeedRig()
        let (app, feed) = try await follow(rig)
        let ids = feed.state.items.map(\.id)
        try rig.server.feed.edit(ids[0], content: "<p>before</p>")
        _ = try await feed.first { $0.items.first?.text == "before" }
        let token = app.user.token
        _ = try await APIClient(baseURL: rig.url) { token }.send(APIRequest("DELETE", "/v1/session"))
        // Nobody but who follows asks the server for anything.
        _ = try await feed.first { $0.isSignedOut }
        try rig.server.feed.edit(ids[1], content: "<p>meanwhile</p>")
        try await app.session.signInAgain(at: rig.url)
        _ = try await feed.first { !$0.isSignedOut && $0.items.contains { $0.text == "meanwhile" } }
        try rig.server.feed.edit(ids[2], content: "<p>after</p>")
        _ = try await feed.first { $0.items.contains { $0.text == "after" } }
        #expect(feed.state.items.map(\.id) == ids)
        try await rig.end(app)
    }
}
