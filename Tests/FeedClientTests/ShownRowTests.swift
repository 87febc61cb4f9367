import AppFoundation
import ExampleBackend
import GRDB
import PaginatorCore
import PaginatorLists
import Testing

@testable import FeedClient

/// Rows that show what the server does not have yet, and drafts, while somebody else is faster.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ShownRowTests {
    /// A feed that has come, and is cut off then.
    private func start() async throws -> (rig: FeedRig, app: FeedApp, feed: FeedStateHolder) {
        let rig = try await FeedRig(posts: 5)
        let app = try await rig.signIn()
        let feed = FeedStateHolder(app)
        feed.start()
        _ = try await feed.first { $0.items.count == 5 }
        await rig.goOffline()
        return (rig, app, feed)
    }

    @Test func `a post that was sent before its row is shown has the row of the server only`() async throws {
        let (rig, app, feed) = try await start()
        let request = try await app.interactions.publish("<p>fast</p>", attachments: [])
        try await app.interactions.discard(request)
        let shown = ShownRows()
        shown.settle(request, as: request.preview(by: app.posts.author, id: 1 << 60))
        shown.add(request) { app.posts.list.edits.beginInsert(request.preview(by: app.posts.author)) }
        let state = try await feed.first { $0.items.contains { $0.id == 1 << 60 } }
        #expect(state.items.count == 6 && state.items[0].text == "fast")
        try await rig.end(app)
    }

    @Test func `a post that is gone is not shown again by sending it again`() async throws {
        let (rig, app, feed) = try await start()
        let request = try await app.interactions.publish("<p>taken back</p>", attachments: [])
        try await app.interactions.discard(request)
        try await app.interactions.resend(request)
        try await app.interactions.publish("<p>another</p>", attachments: [])
        let state = try await feed.first { $0.items.contains { $0.text == "another" } }
        #expect(state.items.count == 6 && state.items[0].text == "another")
        try await rig.end(app)
    }

    @Test func `the row of what is given up goes before its author can see it and send it again`() async throws {
        let (rig, app, _) = try await start()
        let seen = Guarded<[String?]>([])
        // What another connection reads while a row is taken back.
        let read: @Sendable (String, String) -> Void = { [pool = app.database.pool] column, table in
            do {
                let state = try pool.read { try String.fetchOne($0, sql: "SELECT \(column) FROM \(table)") }
                seen.withLock { $0.append(state) }
            } catch { Issue.record(error) }
        }
        let posts = PostRequestTable(
            app.database, api: app.api, folder: rig.root, published: { _, _, _ in },
            givingUp: { _ in read("state", "PostRequests") }, gaveUp: { _ in read("state", "PostRequests") })
        let comments = CommentTable(
            app.database, api: app.api, settled: { _, _ in read("status", "CommentRequests") },
            gaveUp: { _ in read("status", "CommentRequests") }, postIsGone: { _ in })
        let refused = OutboxFailure(.refused, reason: "a test")
        let post = try await posts.add("<p>unlucky</p>", attachments: [], publishAt: nil, requestID: "a")
        try await posts.recordCancellation([post], failure: refused)
        let id = try await app.firstPost()
        let comment = try await comments.add("unlucky", on: id, replyingTo: nil, requestID: "b")
        try await comments.recordCancellation([comment], failure: refused)
        #expect(seen.withLock { $0 } == ["pending", "canceled", "pending", "canceled"])
        try await rig.end(app)
    }

    @Test func `a draft that was typed on while it was saved stays, based on what was saved`() async throws {
        let rig = try await FeedRig(posts: 5)
        let app = try await rig.signIn()
        try await app.drafts.save("one", of: 7, baseVersion: 1)
        let draft = try #require(try await app.drafts.draft(of: 7))
        try await app.drafts.save("one two", of: 7, baseVersion: 1)
        try await app.drafts.saved(draft, version: 2)
        let left = try #require(try await app.drafts.draft(of: 7))
        #expect(left.content == "one two" && left.baseVersion == 2)
        try await app.drafts.saved(left, version: 3)
        #expect(try await app.drafts.draft(of: 7) == nil)
        try await rig.end(app)
    }
}
