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

    /// Tables that no outbox sends, with a post and a comment.
    private struct Requests {
        let posts: PostRequestTable
        let comments: CommentTable
        let post: PostRequest
        let comment: CommentRequest

        init(
            _ app: FeedApp, _ rig: FeedRig, givenUp: @escaping @Sendable () -> Void = {},
            told: @escaping @Sendable () -> Void = {}
        ) async throws {
            posts = PostRequestTable(
                app.database, api: app.api, folder: rig.root, published: { _, _, _ in }, givingUp: { _ in givenUp() },
                gaveUp: { _ in told() })
            comments = CommentTable(
                app.database, api: app.api, settled: { _, _ in givenUp() }, gaveUp: { _ in told() },
                postIsGone: { _ in })
            post = try await posts.add("<p>unlucky</p>", attachments: [], publishAt: nil, requestID: "a")
            comment = try await comments.add("unlucky", on: 1, replyingTo: nil, requestID: "b")
        }

        func cancelPost() async throws {
            try await posts.recordCancellation([post], failure: OutboxFailure(.refused, reason: "a test"))
        }

        func cancelComment() async throws {
            try await comments.recordCancellation([comment], failure: OutboxFailure(.refused, reason: "a test"))
        }
    }

    @Test func `the row of what is given up goes once that is stored, and before it can be sent again`() async throws {
        let (rig, app, _) = try await start()
        let seen = Guarded<[String]>([])
        let requests = try await Requests(app, rig, givenUp: { seen.withLock { $0.append("given up") } })
        // The commit fails, as on a full disk.
        try await app.database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Disk (
                        id INTEGER PRIMARY KEY, more INTEGER REFERENCES Disk DEFERRABLE INITIALLY DEFERRED);
                    CREATE TEMP TRIGGER onPosts AFTER UPDATE ON PostRequests BEGIN INSERT INTO Disk VALUES (1, 2); END;
                    CREATE TEMP TRIGGER onComments AFTER UPDATE ON CommentRequests
                        BEGIN INSERT INTO Disk VALUES (1, 2); END;
                    """)
        }
        await #expect(throws: DatabaseError.self) { try await requests.cancelPost() }
        await #expect(throws: DatabaseError.self) { try await requests.cancelComment() }
        #expect(seen.withLock { $0 }.isEmpty)
        // Something is written as soon as the failure is.
        let writeNext = DatabaseFunction("writeNext", argumentCount: 0) { [pool = app.database.pool] _ in
            pool.asyncWriteWithoutTransaction { _ in seen.withLock { $0.append("next write") } }
            return nil
        }
        try await app.database.write { db in
            db.add(function: writeNext)
            try db.execute(
                sql: """
                    DROP TRIGGER onPosts;
                    DROP TRIGGER onComments;
                    CREATE TEMP TRIGGER onPosts AFTER UPDATE ON PostRequests BEGIN SELECT writeNext(); END;
                    CREATE TEMP TRIGGER onComments AFTER UPDATE ON CommentRequests BEGIN SELECT writeNext(); END;
                    """)
        }
        try await requests.cancelPost()
        try await app.database.write { _ in }
        try await requests.cancelComment()
        try await app.database.write { _ in }
        #expect(seen.withLock { $0 } == ["given up", "next write", "given up", "next write"])
        try await rig.end(app)
    }

    @Test func `a second tap on send again takes nothing back`() async throws {
        let (rig, app, _) = try await start()
        let requests = try await Requests(app, rig)
        let forgotten = Guarded<[String]>([])
        try await requests.cancelPost()
        try await requests.cancelComment()
        for isFirst in [true, false] {
            #expect(try await requests.posts.resend("a") { forgotten.withLock { $0.append("post") } } == isFirst)
            #expect(
                try await requests.comments.resend(requests.comment) { forgotten.withLock { $0.append("comment") } }
                    == isFirst)
        }
        #expect(forgotten.withLock { $0 } == ["post", "comment"])
        try await rig.end(app)
    }

    @Test func `nobody is told that a post failed that was discarded before`() async throws {
        let (rig, app, _) = try await start()
        let told = Guarded(0)
        let requests = try await Requests(app, rig, told: { told.withLock { $0 += 1 } })
        _ = try await requests.posts.withdraw(requests.post)
        try await requests.cancelPost()
        #expect(told.withLock { $0 } == 0)
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
