import ExampleBackend
import FeedClient
import Foundation
import Testing

/// Comments that reply to comments.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ReplyTests {
    private func openDetail(_ app: FeedApp) async throws -> (detail: PostDetailStateHolder, post: Int64) {
        let id = try await app.firstPost()
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        return (detail, id)
    }

    @Test func `a thread is paged, its replies are not among the comments, and the comment counts them`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let somebody = try rig.user("Somebody")
        let post = try await app.firstPost()
        let first = try rig.server.feed.comment("first", on: post, by: somebody)
        for number in 0..<25 { try rig.server.feed.comment("\(number)", on: post, by: somebody, replyingTo: first) }
        let second = try rig.server.feed.comment("second", on: post, by: somebody)
        let (detail, _) = try await openDetail(app)
        let state = try await detail.first { !$0.comments.isEmpty }
        #expect(state.comments.map(\.id) == [second, first])
        #expect(state.comments.map(\.replyCount) == [0, 25])
        #expect(TextFrames.detail(state).contains("[25 replies]"))
        detail.openThread(first)
        let page = try await detail.first { $0.threads[first]?.replies.isEmpty == false }
        #expect(page.threads[first]?.replies.map(\.content) == (5..<25).reversed().map { "\($0)" })
        #expect(page.threads[first]?.hasMore == true)
        detail.loadMoreReplies(to: first)
        let all = try await detail.first { $0.threads[first]?.hasMore == false }
        #expect(all.threads[first]?.replies.count == 25)
        detail.closeThread(first)
        #expect(detail.state.threads.isEmpty)
        try await rig.end(app)
    }

    @Test func `what others wrote since a post was closed is there when it is opened again`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let somebody = try rig.user("Somebody")
        let post = try await app.firstPost()
        let first = try rig.server.feed.comment("first", on: post, by: somebody)
        try rig.server.feed.comment("one", on: post, by: somebody, replyingTo: first)
        do {
            let (detail, _) = try await openDetail(app)
            _ = try await detail.first { $0.comments.count == 1 }
            detail.openThread(first)
            _ = try await detail.first { $0.threads[first]?.replies.count == 1 }
        }
        try rig.server.feed.comment("second", on: post, by: somebody)
        try rig.server.feed.comment("two", on: post, by: somebody, replyingTo: first)
        let (detail, _) = try await openDetail(app)
        let state = try await detail.first { $0.comments.count == 2 }
        #expect(state.comments.map(\.content) == ["second", "first"])
        detail.openThread(first)
        let thread = try await detail.first { $0.threads[first]?.replies.count == 2 }
        #expect(thread.threads[first]?.replies.map(\.content) == ["two", "one"])
        try await rig.end(app)
    }

    @Test func `a reply shows in its thread at once, and is sent once after a restart`() async throws {
        let rig = try await FeedRig()
        let app = try await rig.signIn()
        let (detail, post) = try await openDetail(app)
        let first = try rig.server.feed.comment("first", on: post, by: rig.user("Somebody"))
        detail.refresh()
        let comment = try #require(try await detail.first { !$0.comments.isEmpty }.comments.first)
        detail.openThread(first)
        _ = try await detail.first { $0.threads[first]?.isLoading == false }
        await rig.goOffline()
        try await detail.reply("I agree", to: comment)
        let waiting = try await detail.first { $0.threads[first]?.replies.first?.content == "I agree" }
        #expect(waiting.comments.map(\.content) == ["first"])
        #expect(TextFrames.detail(waiting).contains("    Ada: I agree (sending)"))
        try await app.close()
        let again = try await rig.reopen()
        let later = PostDetailStateHolder(again, post: post)
        try await later.start()
        later.openThread(first)
        await rig.goOnline()
        try await again.drained()
        let sent = try await later.first { $0.threads[first]?.replies.first.map { $0.id > 0 } ?? false }
        let reply = try #require(sent.threads[first]?.replies.first)
        #expect(reply.parentID == first)
        #expect(try rig.server.feed.comments(on: post) == ["first", "I agree"])
        later.refresh()
        _ = try await later.first { $0.comments.first?.replyCount == 1 }
        // Who replies to a reply goes on in the same thread.
        try await later.reply("So do I", to: reply)
        _ = try await later.first {
            $0.threads[first]?.replies.first.map { $0.id > 0 && $0.content == "So do I" } ?? false
        }
        try await rig.end(again)
    }
}
