import ExampleBackend
import FeedClient
import Foundation
import PaginatorAsync
import PaginatorCore
import RichText
import Testing

/// Posts that appear later.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ScheduledTests {
    private func write(_ text: String, in app: FeedApp, at publishAt: Date) async throws {
        let compose = ComposeStateHolder(app)
        try await compose.edit { $0.insert(text, at: 0) }
        compose.schedule(at: publishAt)
        try await compose.send()
        #expect(compose.state.isDone && compose.state.errorMessage == nil)
    }

    @Test func `a scheduled post waits offline, then at the server, and appears to everybody in its time`() async throws
    {
        var rig = try await FeedRig()
        let events = PaginatorEvents()
        rig.options.observer = events
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let before = try await feed.first { $0.items.count >= 30 && !$0.isPaging }.items.map(\.id)
        await rig.goOffline()
        let time = Date(timeIntervalSinceNow: 3_600)
        try await write("Later", in: app, at: time)
        let scheduled = FeedCoordinator(app).makeScheduled()
        let waiting = try await scheduled.first { !$0.waiting.isEmpty }
        #expect(waiting.waiting.map(\.summary) == ["Later"])
        #expect(feed.state.items.first?.id == before.first)
        rig.server.faults.plan([.lostAnswer], "POST", "/v1/posts")
        await rig.goOnline()
        let kept = try await scheduled.first { $0.posts.count == 1 && $0.waiting.isEmpty }
        #expect(kept.posts.map(\.summary) == ["Later"])
        #expect(abs(kept.posts[0].publishAt.timeIntervalSince(time)) < 0.01)
        #expect(try rig.server.feed.posts(of: rig.user()).isEmpty)
        #expect(feed.state.items.first?.id == before.first)

        var connections = events.makeAsyncIterator()
        app.posts.followServer()
        while let event = await connections.next(), event.kind != .followed {}
        // Times go over the wire in milliseconds, rounded.
        try await rig.server.feed.publishDue(at: time.addingTimeInterval(1))
        _ = try await feed.first { $0.newAbove == 1 }
        feed.showNew()
        _ = try await feed.first { $0.items.first?.text == "Later" }
        await scheduled.refresh()
        #expect(scheduled.state.posts.isEmpty)
        #expect(try rig.server.feed.posts(of: rig.user()).count == 1)
        try await rig.end(app)
    }

    @Test func `a scheduled post can be taken back, and one that has appeared meanwhile stays`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        try await write("One", in: app, at: Date(timeIntervalSinceNow: 3_600))
        try await write("Two", in: app, at: Date(timeIntervalSinceNow: 7_200))
        let scheduled = ScheduledStateHolder(app)
        try await app.drained()
        await scheduled.refresh()
        let posts = scheduled.state.posts
        #expect(posts.map(\.summary) == ["One", "Two"])
        await scheduled.cancel(posts[1])
        #expect(scheduled.state.posts == [posts[0]])
        try await rig.server.feed.publishDue(at: Date(timeIntervalSinceNow: 3_601))
        await scheduled.cancel(posts[0])
        #expect(scheduled.state.posts.isEmpty && scheduled.state.problem == nil)
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>One</p>"])
        try await rig.end(app)
    }

    @Test func `a time that has passed is refused while composing, and means at once where it passes meanwhile`()
        async throws
    {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let compose = ComposeStateHolder(app)
        try await compose.edit { $0.insert("Too late", at: 0) }
        compose.schedule(at: Date(timeIntervalSinceNow: -1))
        try await compose.send()
        #expect(compose.state.errorMessage == "This time has passed." && !compose.state.isDone)
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        try await app.publishPost("<p>Just in time</p>", at: Date(timeIntervalSinceNow: -1))
        _ = try await feed.first { $0.items.first.map { $0.id > 0 && $0.text == "Just in time" } ?? false }
        try await rig.end(app)
    }
}
