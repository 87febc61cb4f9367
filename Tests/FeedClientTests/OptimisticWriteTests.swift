import AppFoundation
import ExampleBackend
import FeedClient
import Foundation
import PaginatorCore
import Testing

@MainActor @Suite(.timeLimit(.minutes(3))) struct OptimisticWriteTests {
    @Test func `a like shows at once, survives a restart offline, and reaches the server once`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let row = try #require(try await feed.first { !$0.items.isEmpty }.items.first { !$0.isLiked })
        while try await app.feedMetadata().lastRefreshed == nil { try await nextTurn() }
        await rig.goOffline()
        try await feed.toggleLike(row)
        let liked = try await feed.first { $0.row(row.id)?.isLiked == true }
        #expect(liked.row(row.id)?.likeCount == row.likeCount + 1)
        try await app.posts.flush()
        try await app.close()

        let again = try await rig.reopen()
        let offline = FeedStateHolder(again)
        offline.start()
        let state = try await offline.first { $0.row(row.id)?.isLiked == true }
        #expect(state.row(row.id)?.likeCount == row.likeCount + 1)
        #expect(try rig.server.feed.interactions(of: rig.user()).isEmpty)

        await rig.goOnline()
        try await again.drained()
        #expect(try rig.server.feed.interactions(of: rig.user()).map(\.type) == ["LIKED"])
        #expect(try rig.server.feed.likeCount(of: row.id) == row.likeCount + 1)
        _ = try await offline.first { $0.row(row.id)?.likeCount == row.likeCount + 1 }
        try await rig.end(again)
    }

    @Test func `what is shown already causes no second update`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let row = try #require(try await feed.first { !$0.items.isEmpty }.items.first)
        var seen: [Bool] = []
        feed.onChange { seen.append($0.row(row.id)?.isLiked ?? false) }
        _ = try await feed.first { _ in !seen.isEmpty }
        let before = feed.emissions
        rig.server.faults.plan([.stall], "POST", "/v1/posts")
        try await feed.toggleLike(row)
        _ = try await feed.first { $0.row(row.id)?.isLiked == !row.isLiked }
        try await rig.server.faults.waitForRequests(1, "POST", "/v1/posts")
        // The same state that was waited for has to be handed out before the answer may come.
        while feed.emissions == before {
            try Task.checkCancellation()
            await Task.yield()
        }
        let after = feed.emissions
        rig.server.faults.heal()
        try await app.drained()
        let detail = PostDetailStateHolder(app, post: row.id)
        try await detail.start()
        _ = try await detail.first { $0.post != nil }
        #expect(feed.emissions == after)
        #expect(feed.state.row(row.id)?.isLiked == !row.isLiked)
        try await rig.end(app)
    }

    @Test func `a lost answer is sent again and counts once`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let id = try await app.firstPost()
        rig.server.faults.plan([.lostAnswer, .status(503), .lostRequest], "POST", "/v1/posts")
        try await app.sharePost(id, seeing: 0)
        try await app.drained()
        let taken = try rig.server.feed.interactions(of: rig.user())
        #expect(taken.map(\.type) == ["SHARED"])
        #expect(taken.first?.repetitions ?? 0 >= 1)
        try await rig.end(app)
    }

    @Test func `pairs are never collapsed and keep their order`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let id = try await app.firstPost()
        await rig.goOffline()
        for isLiked in [false, true, false, true] { try await app.toggleLike(id, isLiked: isLiked) }
        await rig.goOnline()
        try await app.drained()
        #expect(
            try rig.server.feed.interactions(of: rig.user()).map(\.type)
                == ["LIKED", "REMOVED_LIKE", "LIKED", "REMOVED_LIKE"])
        try await rig.end(app)
    }

    @Test func `at the limit a like is taken back without a word, and a post with one`() async throws {
        let rig = try await FeedRig { $0.retry.attemptLimit = 2 }
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let row = try #require(try await feed.first { !$0.items.isEmpty }.items.first)
        rig.server.faults.plan(Array(repeating: .status(500), count: 4), "POST", "/v1/posts")
        try await feed.toggleLike(row)
        try await app.drained()
        _ = try await feed.first { $0.row(row.id)?.isLiked == row.isLiked }
        #expect(feed.state.errorMessage == nil && feed.state.failedPosts.isEmpty)
        try await app.publishPost("<p>unlucky</p>")
        let state = try await feed.first { !$0.failedPosts.isEmpty }
        let request = try #require(state.failedPosts.first)
        #expect(TextFrames.feed(state).contains("! Not sent: unlucky"))
        try await feed.resend(request)
        _ = try await feed.first {
            $0.failedPosts.isEmpty && $0.items.first.map { $0.id > 0 && $0.text == "unlucky" } ?? false
        }
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>unlucky</p>"])
        try await rig.end(app)
    }

    @Test func `a post shows at once, takes the server's id, and never appears twice`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        var counts: Set<Int> = []
        feed.onChange { state in counts.insert(state.items.count { $0.text == "hello world" }) }
        rig.server.faults.plan([.lostAnswer], "POST", "/v1/posts")
        try await app.publishPost("<p>hello <b>world</b></p>")
        let sent = try await feed.first { $0.items.first.map { $0.id > 0 && $0.text == "hello world" } ?? false }
        try await app.drained()
        feed.refresh()
        let fresh = try await feed.first { !$0.isRefreshing && $0.items.first?.id == sent.items.first?.id }
        #expect(fresh.items.count { $0.text == "hello world" } == 1)
        #expect(counts.isSubset(of: [0, 1]) && counts.contains(1))
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>hello <b>world</b></p>"])
        try await rig.end(app)
    }

    @Test func `an upload goes on where it stopped, and shows its progress`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        let images = ["a", "b"].map { SampleImage.png(seed: $0, width: 720, height: 480) }
        rig.server.faults.plan([.lostRequest], "PATCH", "/v1/uploads")
        try await app.publishPost(
            "<p>two images</p>", attachments: images.map { NewAttachment(type: "image", content: $0) })
        try await app.drained()
        _ = try await feed.first { $0.items.first.map { $0.id > 0 && $0.attachmentCount == 2 } ?? false }
        #expect(rig.server.faults.count("POST", "/v1/posts") == 1)
        let detail = PostDetailStateHolder(app, post: try #require(feed.state.items.first?.id))
        try await detail.start()
        let post = try #require(try await detail.first { $0.post != nil }.post)
        for (attachment, image) in zip(post.attachments, images) {
            let answer = try await app.api.client.send(APIRequest("GET", attachment.contentPath))
            #expect(answer.body == image)
        }
        try await rig.end(app)
    }

    @Test func `a post that waits can be taken back`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        await rig.goOffline()
        let request = try await app.publishPost("<p>regretted</p>")
        _ = try await feed.first { $0.items.first?.text == "regretted" && $0.items.first?.isSending == true }
        try await feed.discard(request)
        _ = try await feed.first { $0.items.first?.text != "regretted" && $0.sendingPosts.isEmpty }
        await rig.goOnline()
        try await app.drained()
        #expect(try rig.server.feed.posts(of: rig.user()).isEmpty)
        try await rig.end(app)
    }

    @Test func `a post is not sent once it is taken back, while the server deletes its upload`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        rig.server.faults.plan([.stall], "PATCH", "/v1/uploads")
        rig.server.faults.plan([.stall], "DELETE", "/v1/uploads")
        let image = SampleImage.png(seed: "a", width: 72, height: 48)
        let request = try await app.publishPost(
            "<p>regretted</p>", attachments: [NewAttachment(type: "image", content: image)])
        try await rig.server.faults.waitForRequests(1, "PATCH", "/v1/uploads")
        try await app.interactions.discard(request)
        try await rig.server.faults.waitForRequests(1, "DELETE", "/v1/uploads")
        // Posts are sent one after the other.
        try await app.publishPost("<p>another</p>")
        try await app.drained()
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>another</p>"])
        rig.server.faults.heal()
        try await rig.end(app)
    }

    @Test func `who takes a post back does not wait until the server deletes its uploads`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        rig.server.faults.plan([.status(403)], "POST", "/v1/posts")
        rig.server.faults.plan([.stall, .stall], "DELETE", "/v1/uploads")
        let images = ["a", "b"].map { SampleImage.png(seed: $0, width: 72, height: 48) }
        let request = try await app.publishPost(
            "<p>regretted</p>", attachments: images.map { NewAttachment(type: "image", content: $0) })
        try await rig.server.faults.waitForRequests(1, "POST", "/v1/posts")
        try await app.interactions.discard(request)
        // They are deleted one after the other, and the first is not answered yet.
        #expect(rig.server.faults.count("DELETE", "/v1/uploads") <= 1)
        rig.server.faults.heal()
        try await rig.server.faults.waitForRequests(2, "DELETE", "/v1/uploads")
        try await rig.end(app)
    }

    @Test func `a post that waits takes no like and no share, and stays when it is sent`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        await rig.goOffline()
        try await app.publishPost("<p>patient</p>")
        let row = try #require(try await feed.first { $0.items.first?.text == "patient" }.items.first)
        try await feed.toggleLike(row)
        try await feed.share(row)
        #expect(row.id < 0)
        #expect(try await app.interactions.waitingCount() == 1)
        await rig.goOnline()
        try await app.drained()
        _ = try await feed.first { $0.items.first.map { $0.id > 0 && $0.text == "patient" } ?? false }
        try await app.posts.postIsGone(row.id)
        try await app.publishPost("<p>another</p>")
        let state = try await feed.first { $0.items.first.map { $0.id > 0 && $0.text == "another" } ?? false }
        #expect(state.items[1].text == "patient")
        try await rig.end(app)
    }

    @Test func `comments show at once, in two pages, and go out in order`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let id = try await app.firstPost()
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        _ = try await detail.first { $0.post != nil }
        await rig.goOffline()
        try await detail.comment("one")
        try await detail.comment("two")
        let waiting = try await detail.first { $0.comments.count == 2 }
        #expect(waiting.comments.allSatisfy { $0.id < 0 })
        await rig.goOnline()
        try await app.drained()
        let sent = try await detail.first { $0.comments.count == 2 && $0.comments.allSatisfy { $0.id > 0 } }
        #expect(sent.comments.map(\.content) == ["two", "one"])
        #expect(try rig.server.feed.comments(on: id) == ["one", "two"])
        try await rig.end(app)
    }

    @Test func `in the background nothing is sent but by the background task, once`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let id = try await app.firstPost()
        await rig.update { $0.lifecycle = .background }
        app.enterBackground()
        try await app.sharePost(id, seeing: 0)
        #expect(try await app.interactions.waitingCount() == 1)
        let work = try await app.runBackgroundTask()
        #expect(work.sent.sent == 1 && work.sent.isComplete)
        #expect(work.feed.loaded.count == 3 && work.feed.failed.isEmpty && work.feed.unfinished.isEmpty)
        app.enterForeground()
        #expect(try rig.server.feed.interactions(of: rig.user()).map(\.type) == ["SHARED"])
        try await rig.end(app)
    }
}

extension FeedState {
    func row(_ id: Int64) -> PostRow? { items.first { $0.id == id } }
}

extension FeedApp {
    @MainActor func firstPost() async throws -> Int64 {
        let feed = FeedStateHolder(self)
        feed.start()
        return try await feed.first { !$0.items.isEmpty }.items[0].id
    }
}
