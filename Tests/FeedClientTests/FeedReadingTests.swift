import ExampleBackend
import FeedClient
import Foundation
import PaginatorCore
import Testing

@MainActor @Suite(.timeLimit(.minutes(3))) struct FeedReadingTests {
    @Test func `the first page shows, and scrolling loads ahead to the end, each post once`() async throws {
        let rig = try await FeedRig(posts: 95)
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        #expect(feed.state.isLoading)
        feed.start()
        var state = try await feed.first { $0.items.count >= 30 }
        #expect(!state.isLoading && !state.isOffline && state.errorMessage == nil)
        while !state.isAtEnd {
            let count = state.items.count
            feed.visible(count - 5..<count)
            state = try await feed.first { $0.items.count > count || $0.isAtEnd }
        }
        let ids = state.items.map(\.id)
        #expect(ids.count == 95)
        #expect(ids == ids.sorted(by: >))
        #expect(rig.server.faults.count("GET", "/v1/feed") == 4)
        try await rig.end(app)
    }

    @Test func `cached posts show at once after a restart without a connection`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let online = try await feed.first { $0.items.count >= 30 }.items.map(\.id)
        while try await app.feedMetadata().lastRefreshed == nil { try await nextTurn() }
        try await app.posts.flush()
        try await app.close()
        await rig.goOffline()
        let requests = rig.server.faults.count("GET", "/v1/feed")
        let again = try await rig.reopen()
        let offline = FeedStateHolder(again)
        offline.start()
        let state = try await offline.first { !$0.items.isEmpty }
        #expect(state.items.prefix(30).map(\.id) == Array(online.prefix(30)))
        #expect(state.isOffline)
        #expect(rig.server.faults.count("GET", "/v1/feed") == requests)
        try await rig.end(again)
    }

    @Test func `a refresh while offline gives a message and keeps the content, and retry brings the news`() async throws
    {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 }
        await rig.goOffline()
        _ = try await feed.first { $0.isOffline }
        feed.refresh()
        let failed = try await feed.first { $0.errorMessage != nil }
        #expect(failed.items.count >= 30)
        #expect(failed.errorMessage == "You are offline. This is what was loaded before.")
        let new = try rig.server.feed.add("news", by: try rig.user("Somebody"))
        await rig.goOnline()
        feed.retry()
        let state = try await feed.first { $0.items.first?.id == new }
        #expect(state.errorMessage == nil)
        try await rig.end(app)
    }

    @Test func `a cursor that is gone leads to one full refresh`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 && !$0.isPaging }
        let new = try rig.server.feed.add("news", by: try rig.user("Somebody"))
        rig.server.feed.expireCursors()
        let firstPages = rig.server.faults.count("GET", "/v1/feed")
        feed.loadMore()
        let state = try await feed.first { $0.restarts > 0 && $0.items.first?.id == new && !$0.isRefreshing }
        #expect(state.restarts == 1)
        #expect(state.errorMessage == nil)
        #expect(rig.server.faults.count("GET", "/v1/feed") == firstPages + 2)
        feed.loadMore()
        let more = try await feed.first { $0.items.count >= 60 }
        #expect(Set(more.items.map(\.id)).count == more.items.count)
        try await rig.end(app)
    }

    @Test func `a backend that is down gives a message with a way to try again`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        await rig.server.stop()
        feed.start()
        let failed = try await feed.first { $0.errorMessage != nil }
        #expect(failed.items.isEmpty && !failed.isLoading)
        try await rig.server.start()
        feed.retry()
        let state = try await feed.first { !$0.items.isEmpty }
        #expect(state.errorMessage == nil)
        try await rig.end(app)
    }

    @Test func `the backend decides page size, limits and where posts are kept`() async throws {
        let rig = try await FeedRig { config in
            config.pageSize = 12
            config.cache.maxBytes = 5
            config.flags["normalizedFeedStorage"] = true
        }
        let app = try await rig.signIn()
        #expect(app.config.cache.acceptedMaxBytes == 100_000_000)
        let feed = FeedStateHolder(app)
        feed.start()
        let state = try await feed.first { !$0.items.isEmpty }
        #expect(state.items.count == 12)
        try await app.posts.flush()
        let files = try FileManager.default.subpathsOfDirectory(atPath: rig.root.path)
        #expect(files.contains { $0.hasSuffix("feed-normalized.sqlite") })
        try await app.close()
        // Without a connection, what it said last counts.
        await rig.goOffline()
        let again = try await rig.reopen()
        #expect(again.config.pageSize == 12)
        let offline = FeedStateHolder(again)
        offline.start()
        #expect(try await offline.first { !$0.items.isEmpty }.items.map(\.id) == state.items.map(\.id))
        try await rig.end(again)
    }

    @Test func `who looks at another app and comes back reads on at the same place, with the news above`() async throws
    {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 && !$0.isPaging }
        feed.loadMore()
        let read = try await feed.first { $0.items.count >= 60 && !$0.isPaging }.items[40..<50].map(\.id)
        feed.visible(40..<50)
        app.enterBackground()
        try await app.save()
        let news = try rig.server.feed.add("<p>news</p>", by: try rig.user("Somebody"))
        var isLost = false
        feed.onChange { state in
            if !Set(state.items.map(\.id)).isSuperset(of: read) { isLost = true }
        }
        app.enterForeground()
        _ = try await feed.first { $0.items.first?.id == news && !$0.isRefreshing }
        #expect(!isLost)
        try await rig.end(app)
    }

    @Test func `who comes back without a connection gets the news at the same place once it is there`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 && !$0.isPaging }
        feed.loadMore()
        let read = try await feed.first { $0.items.count >= 60 && !$0.isPaging }.items[40..<50].map(\.id)
        feed.visible(40..<50)
        app.enterBackground()
        await rig.goOffline()
        let news = try rig.server.feed.add("<p>news</p>", by: try rig.user("Somebody"))
        var isLost = false
        feed.onChange { state in
            if !Set(state.items.map(\.id)).isSuperset(of: read) { isLost = true }
        }
        app.enterForeground()
        await rig.goOnline()
        _ = try await feed.first { $0.items.first?.id == news && !$0.isRefreshing }
        #expect(!isLost)
        try await rig.end(app)
    }

    @Test func `a return during an offline start still shows the posts on disk`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 }
        try await app.posts.flush()
        try await app.close()
        await rig.goOffline()
        let again = try await rig.reopen()
        let offline = FeedStateHolder(again)
        offline.start()
        again.enterForeground()
        #expect(try await offline.first { !$0.items.isEmpty || $0.problem != nil }.items.count == 30)
        try await rig.end(again)
    }

    @Test func `a restored place stays when the screen starts with a connection, with the news above`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 }
        feed.loadMore()
        let seen = try await feed.first { $0.items.count >= 60 }.items[45].id
        feed.visible(45..<50)
        while try await app.feedMetadata().lastRefreshed == nil { try await nextTurn() }
        try await app.save()
        try await app.close()
        try rig.server.feed.edit(seen, content: "<p>changed</p>")
        let news = try rig.server.feed.add("<p>news</p>", by: try rig.user("Somebody"))
        let again = try await rig.reopen()
        #expect(again.startsWithFeed)
        #expect(try await again.restoreListState())
        let restored = FeedStateHolder(again)
        restored.start()
        let state = try await restored.first { state in
            !state.items.isEmpty && !state.items.contains { $0.id == seen && $0.text != "changed" }
        }
        #expect(state.items.contains { $0.id == seen })
        restored.visible(0..<5)
        _ = try await restored.first { $0.items.first?.id == news }
        try await rig.end(again)
    }

    @Test func `the place in the list is kept in the background and restored`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count >= 30 }
        feed.loadMore()
        let seen = try await feed.first { $0.items.count >= 60 }.items[45].id
        feed.visible(45..<50)
        app.enterBackground()
        try await app.save()
        try await app.close()
        let requests = rig.server.faults.count("GET", "/v1/feed")
        await rig.goOffline()
        let again = try await rig.reopen()
        #expect(try await again.restoreListState())
        let restored = FeedStateHolder(again)
        // The page that was looked at comes first; what was before it is loaded when it is wanted.
        let state = try await restored.first { !$0.items.isEmpty }
        #expect(state.items.contains { $0.id == seen })
        #expect(rig.server.faults.count("GET", "/v1/feed") == requests)
        try await rig.end(again)
    }

    @Test func `logging out leaves nothing of the user on disk`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn("Secretive")
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        await rig.goOffline()
        try await app.publishPost(
            "<p>xylophone</p>",
            attachments: [
                NewAttachment(type: "image", content: SampleImage.png(seed: "x", width: 60, height: 40))
            ])
        try await app.posts.flush()
        #expect(try bytes(in: rig.root, contain: "xylophone"))
        await rig.goOnline()
        try await app.logOut()
        for text in ["xylophone", "Secretive", "Post 0:"] { #expect(try !bytes(in: rig.root, contain: text)) }
        let left = try FileManager.default.subpathsOfDirectory(atPath: rig.root.path).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: rig.root.appending(path: $0).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        // The id of the installation is of no user.
        #expect(left == ["device"])
        #expect(try await FeedApp.open(root: rig.root, at: rig.url) == nil)
        let other = try await rig.signIn("Somebody Else")
        let clean = FeedStateHolder(other)
        #expect(clean.state.items.isEmpty)
        try await rig.end(other)
    }

    private func bytes(in folder: URL, contain text: String) throws -> Bool {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: path)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            if try Data(contentsOf: file).range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }
}
