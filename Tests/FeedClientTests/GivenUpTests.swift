import FeedClient
import Foundation
import GRDB
import PaginatorCore
import Testing

@testable import ExampleBackend

/// What the server did not take is not lost: its author is told, sends it again, or discards it.
@MainActor @Suite(.timeLimit(.minutes(1))) struct GivenUpTests {
    private let notifications = Guarded<[FeedNotification]>([])

    private func start(attemptLimit: Int = 2) async throws -> (rig: FeedRig, app: FeedApp) {
        var rig = try await FeedRig { $0.retry.attemptLimit = attemptLimit }
        rig.options.notify = { [notifications] notification in notifications.withLock { $0.append(notification) } }
        return (rig, try await rig.signIn())
    }

    @Test func `the text of a comment that is given up stays, over a restart too, and is sent again`() async throws {
        let (rig, app) = try await start()
        let id = try await app.firstPost()
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        rig.server.faults.plan([.status(500), .status(500)], "POST", "/v1/posts/\(id)/comments")
        try await detail.comment("Well said.")
        let failed = try await detail.first { !$0.failedComments.isEmpty && $0.comments.isEmpty }
        #expect(failed.failedComments.map(\.content) == ["Well said."])
        #expect(TextFrames.detail(failed).contains("! Not sent: Well said. [resend] [discard]"))
        while notifications.withLock({ $0.isEmpty }) { try await nextTurn() }
        #expect(
            notifications.withLock { $0 } == [
                FeedNotification(
                    title: "Your comment was not sent. Try again?", text: "Well said.", route: .post(id))
            ])
        while try await app.feedMetadata().lastRefreshed == nil { try await nextTurn() }
        try await app.posts.flush()
        try await app.close()

        let again = try await rig.reopen()
        let later = PostDetailStateHolder(again, post: id)
        try await later.start()
        let request = try #require(try await later.first { !$0.failedComments.isEmpty }.failedComments.first)
        try await later.resend(request)
        _ = try await later.first {
            $0.failedComments.isEmpty && $0.comments.first.map { $0.id > 0 && $0.content == "Well said." } ?? false
        }
        #expect(try rig.server.feed.comments(on: id) == ["Well said."])
        try await rig.end(again)
    }

    @Test func `a comment that is given up can be discarded`() async throws {
        let (rig, app) = try await start()
        let id = try await app.firstPost()
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        rig.server.faults.plan([.status(400)], "POST", "/v1/posts/\(id)/comments")
        try await detail.comment("Never mind.")
        let request = try #require(try await detail.first { !$0.failedComments.isEmpty }.failedComments.first)
        try await detail.discard(request)
        _ = try await detail.first { $0.failedComments.isEmpty }
        #expect(try await app.interactions.givenUpCount() == 0)
        #expect(try rig.server.feed.comments(on: id).isEmpty)
        try await rig.end(app)
    }

    @Test func `a post with an image is sent again after the server has deleted its uploads`() async throws {
        let (rig, app) = try await start()
        rig.server.faults.plan([.status(403)], "POST", "/v1/posts")
        let image = SampleImage.png(seed: "a", width: 72, height: 48)
        try await app.publishPost("<p>late</p>", attachments: [NewAttachment(type: "image", content: image)])
        let feed = FeedStateHolder(app)
        let request = try #require(try await feed.first { !$0.failedPosts.isEmpty }.failedPosts.first)
        try await rig.server.feed.database.queue.write { db in
            try FeedBackend.sweepUploads(db, at: Date(timeIntervalSinceNow: 25 * 3_600))
        }
        try await feed.resend(request)
        try await app.drained()
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>late</p>"])
        try await rig.end(app)
    }

    @Test func `a post whose uploads the server deleted while nothing went is uploaded again by itself`() async throws {
        let (rig, app) = try await start()
        rig.server.faults.plan([.status(503), .stall], "POST", "/v1/posts")
        let image = SampleImage.png(seed: "a", width: 72, height: 48)
        try await app.publishPost("<p>late</p>", attachments: [NewAttachment(type: "image", content: image)])
        // The second attempt has nothing to upload.
        try await rig.server.faults.waitForRequests(2, "POST", "/v1/posts")
        try await rig.server.feed.database.queue.write { db in
            try FeedBackend.sweepUploads(db, at: Date(timeIntervalSinceNow: 25 * 3_600))
        }
        rig.server.faults.heal()
        try await app.drained()
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>late</p>"])
        #expect(notifications.withLock { $0.isEmpty })
        try await rig.end(app)
    }

    @Test(arguments: [1, 2])
    func `an attempt that has uploaded a file is not counted`(_ limit: Int) async throws {
        let (rig, app) = try await start(attemptLimit: limit)
        rig.server.faults.plan(Array(repeating: .status(500), count: limit), "POST", "/v1/posts")
        let image = SampleImage.png(seed: "a", width: 72, height: 48)
        try await app.publishPost("<p>large</p>", attachments: [NewAttachment(type: "image", content: image)])
        try await app.drained()
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>large</p>"])
        #expect(rig.server.faults.count("POST", "/v1/posts") == limit + 1)
        try await rig.end(app)
    }

    @Test func `a post that is given up is no row of the feed until it is sent again`() async throws {
        let (rig, app) = try await start()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        rig.server.faults.plan([.status(400)], "POST", "/v1/posts")
        try await app.publishPost("<p>unlucky</p>")
        let failed = try await feed.first { state in
            !state.failedPosts.isEmpty && !state.items.contains { $0.text == "unlucky" }
        }
        await rig.goOffline()
        try await feed.resend(try #require(failed.failedPosts.first))
        _ = try await feed.first { $0.failedPosts.isEmpty && $0.items.first?.text == "unlucky" }
        await rig.goOnline()
        _ = try await feed.first { $0.items.first.map { $0.id > 0 && $0.text == "unlucky" } ?? false }
        try await rig.end(app)
    }

    @Test func `a post that is given up asks its author to try again`() async throws {
        let (rig, app) = try await start()
        rig.server.faults.plan([.status(500), .status(500)], "POST", "/v1/posts")
        try await app.publishPost("<p>unlucky</p>")
        let feed = FeedStateHolder(app)
        _ = try await feed.first { !$0.failedPosts.isEmpty }
        let notification = FeedNotification(title: "Your post was not sent. Try again?", text: "unlucky", route: .feed)
        while notifications.withLock({ $0.isEmpty }) { try await nextTurn() }
        #expect(notifications.withLock { $0 } == [notification])
        try await rig.end(app)
    }
}
