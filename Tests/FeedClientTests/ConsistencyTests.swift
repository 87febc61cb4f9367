import ExampleBackend
import FeedClient
import Foundation
import PaginatorCore
import RichText
import Testing

@MainActor @Suite(.timeLimit(.minutes(3))) struct ConsistencyTests {
    @Test func `a like on the detail shows in the feed and in the profile`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let row = try #require(try await feed.first { !$0.items.isEmpty }.items.first { !$0.isLiked })
        let detail = PostDetailStateHolder(app, post: row.id)
        try await detail.start()
        let author = try #require(try await detail.first { $0.post != nil }.post).author.id
        let profile = ProfileStateHolder(app, user: author)
        try await profile.start()
        _ = try await profile.first { $0.items.contains { $0.id == row.id } }
        try await detail.toggleLike()
        try await app.drained()
        _ = try await feed.first { $0.row(row.id)?.likeCount == row.likeCount + 1 }
        _ = try await profile.first { $0.items.first { $0.id == row.id }?.isLiked == true }
        _ = try await detail.first { $0.post?.likeCount == row.likeCount + 1 }
        // It is the server's value that is shown now, not what lay over it.
        #expect(
            app.posts.feed.peek(key: "first", pageSize: 30)?.page.content.first { $0.id == row.id }?.isLiked == true)
        try await rig.end(app)
    }

    @Test func `others read the same beginning of a post as its author`() async throws {
        let rig = try await FeedRig(posts: 1)
        let (app, other) = (try await rig.signIn(), try await rig.signInElsewhere("Bob"))
        let texts = [
            "<p>two &#160;spaces</p>", "<p>one<br>two</p><p>three &#x263A; &copy;</p>",
            "<p>un<em>believ</em>able</p><script>alert(1)</script>",
        ]
        for text in texts { try await app.publishPost(text) }
        try await app.drained()
        let feed = FeedStateHolder(other)
        feed.start()
        let rows = try await feed.first { $0.items.count == texts.count + 1 }.items
        #expect(rows.prefix(texts.count).map(\.text) == texts.reversed().map { RichText(html: $0).summary() })
        #expect(rows[0].text == "unbelievable")
        try await rig.end(app, other)
    }

    @Test func `an edit shows everywhere, and a deletion too`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        try await app.publishPost("<p>first form</p>")
        let id = try #require(
            try await feed.first { $0.items.first.map { $0.id > 0 && $0.text == "first form" } ?? false }.items.first
        ).id
        let profile = ProfileStateHolder(app, user: try rig.user().id)
        try await profile.start()
        _ = try await profile.first { !$0.items.isEmpty }
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        _ = try await detail.first { $0.post != nil }
        try await detail.writeDraft("<p>second form</p>")
        #expect(try await detail.saveDraft() == .saved)
        _ = try await feed.first { $0.row(id)?.text == "second form" }
        _ = try await profile.first { $0.items.first?.text == "second form" }
        _ = try await detail.first { $0.post?.content == "<p>second form</p>" }
        try await detail.delete()
        _ = try await feed.first { $0.row(id) == nil }
        _ = try await profile.first { $0.items.isEmpty }
        _ = try await detail.first { $0.isGone }
        try await rig.end(app)
    }

    @Test func `a profile that was opened before shows the posts that were published since`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let user = try rig.user()
        _ = try rig.server.feed.add("<p>old</p>", by: user)
        let before = ProfileStateHolder(app, user: user.id)
        try await before.start()
        _ = try await before.first { $0.items.map(\.text) == ["old"] }
        try await app.publishPost("<p>new</p>")
        try await app.drained()
        let profile = ProfileStateHolder(app, user: user.id)
        try await profile.start()
        _ = try await profile.first { $0.items.map(\.text) == ["new", "old"] }
        try await rig.end(app)
    }

    @Test func `a post that was deleted elsewhere cancels what waited for it`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let row = try #require(try await feed.first { !$0.items.isEmpty }.items.first)
        await rig.goOffline()
        try await feed.toggleLike(row)
        try await app.sharePost(row.id, seeing: 0)
        try await app.addComment("too late", on: row.id)
        try rig.server.feed.delete(row.id)
        await rig.goOnline()
        try await app.drained()
        _ = try await feed.first { $0.row(row.id) == nil }
        #expect(try rig.server.feed.interactions(of: rig.user()).isEmpty)
        let detail = PostDetailStateHolder(app, post: row.id)
        try await detail.start()
        #expect(try await detail.first { $0.isGone }.post == nil)
        try await rig.end(app)
    }

    @Test func `of a draft in conflict the user chooses`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { !$0.items.isEmpty }
        try await app.publishPost("<p>one</p>")
        let id = try #require(
            try await feed.first { $0.items.first.map { $0.id > 0 && $0.text == "one" } ?? false }.items.first
        ).id
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        _ = try await detail.first { $0.post != nil }
        try await detail.writeDraft("<p>mine</p>")
        try rig.server.feed.edit(id, content: "<p>theirs</p>")
        #expect(try await detail.saveDraft() == .conflict)
        let draft = try #require(try await app.drafts.draft(of: id))
        #expect(draft.content == "<p>mine</p>" && draft.serverContent == "<p>theirs</p>")
        #expect(try await detail.resolveConflict(.keepMine) == .saved)
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>mine</p>"])
        #expect(try await app.drafts.draft(of: id) == nil)
        _ = try await detail.first { $0.post?.content == "<p>mine</p>" }

        try await detail.writeDraft("<p>mine again</p>")
        try rig.server.feed.edit(id, content: "<p>theirs again</p>")
        #expect(try await detail.saveDraft() == .conflict)
        #expect(try await detail.resolveConflict(.takeTheirs) == .saved)
        _ = try await detail.first { $0.post?.content == "<p>theirs again</p>" }
        try await rig.end(app)
    }

    @Test func `a refresh brings the server's values and leaves what is pending on top`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        let row = try #require(try await feed.first { !$0.items.isEmpty }.items.first { !$0.isLiked })
        rig.server.faults.plan([.stall], "POST", "/v1/posts/\(row.id)")
        try await feed.toggleLike(row)
        try await rig.server.faults.waitForRequests(1, "POST", "/v1/posts/\(row.id)")
        let other = try await rig.signInElsewhere("Somebody")
        try await other.toggleLike(row.id, isLiked: false)
        try await other.drained()
        feed.refresh()
        let fresh = try await feed.first { $0.row(row.id)?.likeCount == row.likeCount + 2 }
        #expect(fresh.row(row.id)?.isLiked == true)
        rig.server.faults.heal()
        try await app.drained()
        // The screen learns of the end by two ways, and may still be about to learn of one of them.
        _ = try await feed.first { $0.row(row.id)?.likeCount == row.likeCount + 2 }
        try await rig.end(app, other)
    }

    @Test func `links and notifications open a screen by an id`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        let coordinator = FeedCoordinator(app)
        #expect(coordinator.open(URL(string: "paginator-example://posts/42")!))
        #expect(coordinator.path == [.feed, .post(42)])
        coordinator.goBack()
        #expect(coordinator.path == [.feed])
        #expect(!coordinator.open(URL(string: "https://example.org/posts/42")!))
        #expect(!coordinator.open(URL(string: "paginator-example://posts/x")!))
        try await rig.end(app)
    }

    @Test func `a draft of a new post is there after a restart`() async throws {
        let rig = try await FeedRig(posts: 1)
        let app = try await rig.signIn()
        try await ComposeStateHolder(app).edit { $0.insert("half a thou", at: 0) }
        try await app.close()
        let again = try await rig.reopen()
        let compose = ComposeStateHolder(again)
        try await compose.start()
        #expect(compose.state.draft.text == "half a thou")
        try await compose.send()
        #expect(compose.state.isDone)
        try await again.drained()
        #expect(try await again.drafts.draft(of: DraftStore.newPost) == nil)
        #expect(try rig.server.feed.posts(of: rig.user()) == ["<p>half a thou</p>"])
        try await rig.end(again)
    }
}
