import AppFoundation
import ExampleBackend
import FeedClient
import GRDB
import PaginatorCore
import Testing

/// What the app writes to its log.
@MainActor @Suite(.timeLimit(.minutes(1))) struct LogTests {
    private struct Line: Sendable {
        let category: AppLog.Category
        let text: String
    }

    @Test func `network, sync and screens are logged, and nothing of what users wrote`() async throws {
        let lines = Guarded<[Line]>([])
        var rig = try await FeedRig()
        rig.options.log = AppLog { category, _, text in
            lines.withLock { $0.append(Line(category: category, text: text)) }
        }
        let app = try await rig.signIn()
        let coordinator = FeedCoordinator(app)
        let feed = coordinator.makeFeed()
        feed.start()
        let id = try await feed.first { !$0.items.isEmpty }.items[0].id
        coordinator.show(.post(id))
        let detail = coordinator.makeDetail(id)
        try await detail.start()
        _ = try await detail.first { $0.post != nil }
        try await detail.comment("confidential")
        try await app.drained()
        await rig.goOffline()
        let expected: [(AppLog.Category, String)] = [
            (.network, "feed: "), (.network, "details: "), (.network, "comments: "), (.network, "link none"),
            (.sync, "outbox: 1 sent"), (.ui, "shows post"),
        ]
        for (category, text) in expected {
            while !lines.withLock({ $0.contains { $0.category == category && $0.text.hasPrefix(text) } }) {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
        let all = lines.withLock { $0 }
        for secret in ["confidential", "\(id)", app.user.token, "Ada"] {
            #expect(!all.contains { $0.text.contains(secret) })
        }
        try await rig.end(app)
    }

    @Test func `posts that cannot be indexed are shown, and the log says so`() async throws {
        let lines = Guarded<[String]>([])
        var rig = try await FeedRig()
        rig.options.log = AppLog { _, level, text in if level == .error { lines.withLock { $0.append(text) } } }
        let app = try await rig.signIn()
        try await app.database.write { try $0.execute(sql: "DROP TABLE PostIndex") }
        _ = try await app.firstPost()
        while lines.withLock({ !$0.contains("30 posts are not in the index of the search") }) { try await nextTurn() }
        try await rig.end(app)
    }
}
