import ExampleBackend
import FeedClient
import Foundation
import Testing

/// What screens look like, word for word.
@MainActor @Suite(.timeLimit(.minutes(3))) struct TextFrameTests {
    @Test func `the feed: placeholders, posts, what is pending, offline`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        #expect(
            TextFrames.feed(feed.state) == """
                ┌ Feed ─────────────────────────────────────────────────────────
                │ ░░░░░░░░
                │ ░░░░░░░░░░░░░░░░
                └───────────────────────────────────────────────────────────────
                """)
        feed.start()
        let state = try await feed.first { $0.items.count == 30 && !$0.isPaging && !$0.isRefreshing }
        #expect(
            TextFrames.feed(state, rows: 0..<2) == """
                ┌ Feed ─────────────────────────────────────────────────────────
                │ 李小龍
                │ Post 0: bold and italic 🇩🇪🇫🇷🇯🇵 Ω≈ç√∫˜µ≤≥÷ 100 % of nothing
                │ ♡ 38 · 0 comments
                │ D'Arcy "Dot" O’Neil
                │ Post 1: Ω≈ç√∫˜µ≤≥÷ 👩‍👩‍👧‍👦 at the 🏖️ 👩‍👩‍👧‍👦 at the 🏖️ 100 % of nothing
                │ ♡ 39 · 0 comments
                └───────────────────────────────────────────────────────────────
                """)
        await rig.goOffline()
        try await feed.toggleLike(state.items[0])
        feed.refresh()
        let offline = try await feed.first {
            $0.isOffline && $0.items[0].isLiked && $0.errorMessage != nil && !$0.isRefreshing
        }
        #expect(
            TextFrames.feed(offline, rows: 0..<1) == """
                ┌ Feed (offline) ───────────────────────────────────────────────
                │ ! You are offline. This is what was loaded before. [retry]
                │ 李小龍
                │ Post 0: bold and italic 🇩🇪🇫🇷🇯🇵 Ω≈ç√∫˜µ≤≥÷ 100 % of nothing
                │ ♥ 39 · 0 comments
                └───────────────────────────────────────────────────────────────
                """)
        try await app.publishPost("<p>On my way</p>")
        let sending = try await feed.first { $0.items.first?.isSending == true && !$0.sendingPosts.isEmpty }
        #expect(
            TextFrames.feed(sending, rows: 0..<1) == """
                ┌ Feed (offline) ───────────────────────────────────────────────
                │ ! You are offline. This is what was loaded before. [retry]
                │ ^ Sending, 100 %
                │ Ada
                │ On my way
                │ ♡ 0 · 0 comments · sending
                └───────────────────────────────────────────────────────────────
                """)
        try await rig.end(app)
    }

    @Test func `a post with what is hostile in it, its comments, and a post that is gone`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let html = "<p>Plain words<script>alert(1)</script></p><p onclick='x()'>and more</p>"
        let id = try rig.server.feed.add(html, by: try rig.user("Mallory"))
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        _ = try await detail.first { $0.text != nil }
        await rig.goOffline()
        try await detail.comment("Well said.")
        let state = try await detail.first { $0.comments.count == 1 && $0.text != nil }
        #expect(
            TextFrames.detail(state) == """
                ┌ Post ─────────────────────────────────────────────────────────
                │ Mallory
                │ Plain words
                │ and more
                │ ♡ 0 · 0 shared
                │   Ada: Well said. (sending)
                └───────────────────────────────────────────────────────────────
                """)
        try rig.server.feed.delete(id)
        await rig.goOnline()
        try await app.drained()
        #expect(
            TextFrames.detail(try await detail.first { $0.isGone && !$0.failedComments.isEmpty && $0.comments.isEmpty })
                == """
                ┌ Post ─────────────────────────────────────────────────────────
                │ This post is not there any more.
                │ ! Not sent: Well said. [discard]
                └───────────────────────────────────────────────────────────────
                """)
        try await rig.end(app)
    }

    @Test func `a profile`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        _ = try rig.server.feed.add("<p>Mine</p>", by: try rig.user())
        let profile = ProfileStateHolder(app, user: try rig.user().id)
        try await profile.start()
        let state = try await profile.first { !$0.items.isEmpty }
        #expect(
            TextFrames.profile(state) == """
                ┌ Posts of Ada ─────────────────────────────────────────────────
                │ Ada
                │ Mine
                │ ♡ 0 · 0 comments
                └───────────────────────────────────────────────────────────────
                """)
        try await rig.end(app)
    }
}
