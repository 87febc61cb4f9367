import AppFoundation
import ExampleBackend
import FeedClient
import Foundation
import PaginatorCore
import Testing

/// What a start waits for, and what it does not.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FeedStartTests {
    private func leaveFeedOnDisk(_ rig: FeedRig, pages: Int = 1) async throws {
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        for page in 1..<pages {
            feed.loadMore()
            _ = try await feed.first { $0.items.count > page * 30 && !$0.isPaging }
        }
        while try await app.feedMetadata().lastRefreshed == nil { try await nextTurn() }
        try await app.posts.flush()
        try await app.close()
    }

    @Test func `cached posts show while the backend does not say what its limits are`() async throws {
        let rig = try await FeedRig()
        try await leaveFeedOnDisk(rig)
        let asked = rig.server.faults.count("GET", "/v1/config")
        rig.server.faults.plan([.stall], "GET", "/v1/config")
        let app = try await rig.reopen()
        let feed = FeedStateHolder(app)
        feed.start()
        #expect(try await feed.first { !$0.items.isEmpty }.items.count >= 30)
        try await rig.server.faults.waitForRequests(asked + 1, "GET", "/v1/config")
        rig.server.faults.heal()
        try await rig.end(app)
    }

    @Test func `cached posts are refreshed when the connection comes after a start without one`() async throws {
        let rig = try await FeedRig()
        try await leaveFeedOnDisk(rig)
        await rig.goOffline()
        let app = try await rig.reopen()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        let news = try rig.server.feed.add("<p>news</p>", by: try rig.user("Somebody"))
        await rig.goOnline()
        _ = try await feed.first { $0.items.first?.id == news }
        try await rig.end(app)
    }

    @Test func `who reads further down when the connection comes keeps the place`() async throws {
        let rig = try await FeedRig()
        try await leaveFeedOnDisk(rig, pages: 2)
        await rig.goOffline()
        let app = try await rig.reopen()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        feed.loadMore()
        let read = try await feed.first { $0.items.count >= 60 }.items[40..<50].map(\.id)
        feed.visible(40..<50)
        let news = try rig.server.feed.add("<p>news</p>", by: try rig.user("Somebody"))
        try rig.server.feed.edit(read[5], content: "<p>changed</p>")
        var isLost = false
        feed.onChange { state in
            if !Set(state.items.map(\.id)).isSuperset(of: read) { isLost = true }
        }
        // Also when the first attempt fails.
        rig.server.faults.plan(Array(repeating: .status(500), count: 20), "GET", "/v1/feed")
        await rig.goOnline()
        _ = try await feed.first { $0.problem == .unreachable && !$0.isRefreshing }
        rig.server.faults.heal()
        feed.retry()
        _ = try await feed.first { $0.items.first?.id == news && $0.items.contains { $0.text == "changed" } }
        #expect(!isLost)
        try await rig.end(app)
    }

    @Test func `a start does not fail where left-over files cannot be removed`() async throws {
        var rig = try await FeedRig(posts: 1)
        let lines = Guarded<[String]>([])
        rig.options.log = AppLog { _, level, text in if level == .error { lines.withLock { $0.append(text) } } }
        let app = try await rig.signIn()
        try await app.close()
        // No folder that could be read.
        try Data().write(to: app.session.folder(of: app.user).appending(path: "uploads"))
        let again = try await rig.reopen()
        #expect(lines.withLock { $0 } == ["not all left-over files of posts were removed"])
        try await rig.end(again)
    }

    @Test func `files that no waiting post names are gone after a start`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        await rig.goOffline()
        let image = SampleImage.png(seed: "a", width: 72, height: 48)
        try await app.publishPost("<p>waits</p>", attachments: [NewAttachment(type: "image", content: image)])
        let folder = app.session.folder(of: app.user).appending(path: "uploads")
        let named = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(named.count == 1)
        try Data("left".utf8).write(to: folder.appending(path: "left"))
        try await app.close()
        let again = try await rig.reopen()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == named)
        await rig.goOnline()
        try await again.drained()
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>waits</p>"])
        try await rig.end(again)
    }

    @Test func `limits that changed count from the next start`() async throws {
        let rig = try await FeedRig()
        try await leaveFeedOnDisk(rig)
        rig.server.feed.setClientConfig { $0.pageSize = 12 }
        let second = try await rig.reopen()
        #expect(second.config.pageSize == 30)
        while try await second.metadata.value(FeedConfig.self, named: "config")?.pageSize != 12 { try await nextTurn() }
        try await second.close()
        let third = try await rig.reopen()
        #expect(third.config.pageSize == 12 && third.posts.pageSize == 12)
        try await rig.end(third)
    }

    @Test func `limits that were not reached at the start are asked for when the connection comes`() async throws {
        let rig = try await FeedRig()
        try await leaveFeedOnDisk(rig)
        await rig.goOffline()
        let asked = rig.server.faults.count("GET", "/v1/config")
        let app = try await rig.reopen()
        #expect(rig.server.faults.count("GET", "/v1/config") == asked)
        await rig.goOnline()
        try await rig.server.faults.waitForRequests(asked + 1, "GET", "/v1/config")
        try await rig.end(app)
    }
}
