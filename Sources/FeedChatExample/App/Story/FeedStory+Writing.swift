import ExampleBackend
import FeedClient
import Foundation
import RichText

extension FeedStory {
    /// Sends a post with two images over a network that fails.
    func compose(_ app: FeedApp, _ feed: FeedStateHolder) async throws {
        transcript.begin("Ada writes a post with two images, while the network breaks off")
        let compose = ComposeStateHolder(app)
        try await compose.edit { draft in
            draft.insert("Notes\nOn the analytical engine", at: 0)
            draft.set(.heading(1), at: 0..<5)
            draft.set(.bold, on: 13..<23, to: true)
        }
        for name in ["one", "two"] {
            let image = SampleImage.png(seed: name, width: 720, height: 480)
            compose.attach(NewAttachment(type: "image", content: image, caption: "Image \(name)"))
        }
        server.faults.plan([.lostRequest], "PATCH", "/v1/uploads")
        server.faults.plan([.lostAnswer], "POST", "/v1/posts")
        try await compose.send()
        let waiting = try await feed.first { $0.items.first?.isSending == true && !$0.sendingPosts.isEmpty }
        transcript.show(TextFrames.feed(waiting, rows: 0..<1))
        transcript.verify(waiting.items.first?.text, equals: "Notes On the analytical engine", "it shows at once")
        try await drain(app)
        let sent = try await feed.first { $0.items.first.map { $0.id > 0 && $0.attachmentCount == 2 } ?? false }
        transcript.show(TextFrames.feed(sent, rows: 0..<1))
        let count = sent.items.prefix(10).count { $0.text == "Notes On the analytical engine" }
        transcript.verify(count, equals: 1, "it took the server's id, and shows once")
        transcript.verify(
            try server.feed.posts(of: user("Ada")).first,
            equals: "<h1>Notes</h1><p>On the <strong>analytical</strong> engine</p>", "as rich text")
        transcript.verify(try server.feed.posts(of: user("Ada")).count, equals: 1, "the server has it once")
    }

    /// Actions without a connection are sent together later.
    func likeALot(_ app: FeedApp, _ feed: FeedStateHolder) async throws {
        transcript.begin("Ada likes and shares posts while her train is in a tunnel")
        await server.stop()
        feed.refresh()
        _ = try await feed.first { $0.isOffline && !$0.isRefreshing }
        let rows = feed.state.items[10..<30]
        for row in rows { try await feed.toggleLike(row) }
        try await feed.share(feed.state.items[10])
        let state = try await feed.first { $0.items[10].shareCount == rows[10].shareCount + 1 }
        transcript.show(TextFrames.feed(state, rows: 10..<11))
        transcript.verify(try await app.interactions.waitingCount(), equals: 21, "all of it shows, and waits")
        let requests = server.faults.count("POST")
        try await server.start()
        try await drain(app)
        let taken = try server.feed.interactions(of: user("Ada")).suffix(21)
        transcript.verify(taken.map(\.postId), equals: rows.map(\.id) + [rows[10].id], "the server has it in order")
        transcript.verify(server.faults.count("POST"), equals: requests + 1, "in one request")
    }

    func commentAndShare(_ app: FeedApp, _ feed: FeedStateHolder) async throws {
        transcript.begin("She comments on a post, shares and bookmarks it")
        let id = feed.state.items[1].id
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        let before = try await detail.first { $0.post != nil }
        try await detail.comment("Well said.")
        try await detail.share()
        try await detail.toggleBookmark()
        try await drain(app)
        let state = try await detail.first {
            $0.post?.isBookmarked == true && $0.comments.first.map { $0.id > 0 } ?? false
                && $0.post?.shareCount == (before.post?.shareCount ?? 0) + 1 && $0.post?.commentCount == 1
        }
        transcript.show(TextFrames.detail(state))
        transcript.verify(state.comments.map(\.content), equals: ["Well said."], "the comment is there")
        transcript.verify(try server.feed.comments(on: id), equals: ["Well said."], "the server has it once")
        guard let comment = state.comments.first else { return }
        try server.feed.comment("Indeed.", on: id, by: user("Somebody"), replyingTo: comment.id)
        detail.openThread(comment.id)
        _ = try await detail.first { $0.threads[comment.id]?.replies.count == 1 }
        try await detail.reply("Thank you.", to: comment)
        try await drain(app)
        let thread = try await detail.first { $0.threads[comment.id]?.replies.first.map { $0.id > 0 } ?? false }
        transcript.show(TextFrames.detail(thread))
        transcript.verify(
            thread.threads[comment.id]?.replies.map(\.content), equals: ["Thank you.", "Indeed."],
            "somebody replies, and so does she, below the comment")
    }

    /// The same post was changed on another device.
    func resolveConflict(_ app: FeedApp, _ feed: FeedStateHolder) async throws {
        transcript.begin("She edits her post, which she changed on her tablet meanwhile")
        let id = feed.state.items[0].id
        let detail = PostDetailStateHolder(app, post: id)
        try await detail.start()
        _ = try await detail.first { $0.post != nil }
        try await detail.writeDraft("<p>From the phone</p>")
        try server.feed.edit(id, content: "<p>From the tablet</p>")
        transcript.verify(try await detail.saveDraft(), equals: .conflict, "the server refuses the edit")
        let draft = try await app.drafts.draft(of: id)
        transcript.verify(draft?.serverContent, equals: "<p>From the tablet</p>", "she sees both texts")
        transcript.verify(try await detail.resolveConflict(.keepMine), equals: .saved, "she keeps the phone's")
        _ = try await feed.first { $0.items.first?.text == "From the phone" }
        transcript.verify(
            try server.feed.posts(of: user("Ada")), equals: ["<p>From the phone</p>"], "the server has it")
        transcript.verify(feed.state.items.first?.text, equals: "From the phone", "the feed shows it too")

        transcript.begin("A post that she likes is deleted by its author")
        let row = feed.state.items[5]
        try server.feed.delete(row.id)
        try await feed.toggleLike(row)
        let state = try await feed.first { !$0.items.prefix(10).contains { $0.id == row.id } }
        transcript.verify(!state.items.prefix(10).contains { $0.id == row.id }, "it is gone from the feed")
        try await drain(app)
        let taken = try server.feed.interactions(of: user("Ada"))
        transcript.verify(!taken.contains { $0.postId == row.id }, "what waited for it was given up")
    }

    func sitOutAnOutage(_ app: FeedApp, _ feed: FeedStateHolder) async throws {
        transcript.begin("The backend is down")
        let count = feed.state.items.count
        await server.stop()
        feed.refresh()
        let failed = try await feed.first { $0.errorMessage != nil && !$0.isRefreshing }
        transcript.show(TextFrames.feed(failed, rows: 0..<1))
        transcript.verify(failed.items.count, equals: count, "every post stays, with a message and a way to retry")
        let banner = try await feed.first { $0.isOffline }
        transcript.show(TextFrames.feed(banner, rows: 0..<1))
        transcript.verify(banner.isOffline, "the app finds out that there is no connection, and says so")
        let row = failed.items[3]
        try await feed.toggleLike(row)
        _ = try await feed.first { $0.items[3].isLiked != row.isLiked }
        transcript.verify(try await app.interactions.waitingCount(), equals: 1, "a like shows, and waits")
        let news = try server.feed.add("<p>Something happened meanwhile</p>", by: user("Somebody"))
        try await server.start()
        let state = try await feed.first { $0.items.first?.id == news && $0.errorMessage == nil && !$0.isOffline }
        transcript.show(TextFrames.feed(state, rows: 0..<1))
        transcript.verify(state.items.first?.id, equals: news, "when it is back, the news come by themselves")
        try await drain(app)
        let last = try server.feed.interactions(of: user("Ada")).last
        transcript.verify(last?.postId, equals: row.id, "and the like went out")
    }
}
