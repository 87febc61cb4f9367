import ChatClient
import GRDB
import GRDBSQLite
import PaginatorCore
import Testing

/// A conversation of 100,000 messages is paged as fast at its far end as at its near end.
struct HistoryPagingTests {
    private static let all: Int64 = 100_000

    @Test func `every page is one range of one index`() async throws {
        let database = try await ChatFixtures.database()
        try await ChatFixtures.fill(database, ids: 1...1_000)
        try await database.write { try $0.db.execute(sql: "ANALYZE") }
        for sql in [ChatTransaction.olderSQL, ChatTransaction.newerSQL] {
            let plan = try await plan(of: sql, ["bob", 500, 51], in: database)
            #expect(plan.count == 1, "\(plan)")
            #expect(plan[0].hasPrefix("SEARCH Messages USING INDEX MessagesByConversation (contactId=? AND messageId"))
        }
        for sql in [ChatTransaction.firstUnreadSQL, ChatTransaction.unreadCountSQL] {
            let plan = try await plan(of: sql, ["bob"], in: database)
            #expect(plan.count == 1 && plan[0].contains("MessagesUnread (contactId=?)"), "\(plan)")
        }
        let previews = try await plan(of: ChatTransaction.previewsSQL, [], in: database)
        #expect(previews.contains { $0.contains("COVERING INDEX MessagesByConversation (contactId=?)") }, "\(previews)")
        #expect(!previews.contains { $0.hasPrefix("SCAN Messages") }, "\(previews)")
    }

    @Test func `the far end costs no more steps than the near end`() async throws {
        let database = try await ChatFixtures.database()
        try await ChatFixtures.fill(database, ids: 1...Self.all)
        try await ChatFixtures.fill(database, contact: "cleo", ids: Self.all + 1...Self.all + 100)
        let keys: [HistoryKey] = [
            .newest, .upTo(Self.all), .upTo(60), .after(Self.all - 60), .after(1), .around(50_000),
        ]
        var costs: [HistoryKey: Int] = [:]
        for key in keys {
            let (page, steps) = try await database.read { read in
                var page = try read.history(key, with: "bob", limit: 50)
                let steps = try Self.countingSteps(read.db) {
                    page = try read.history(key, with: "bob", limit: 50)
                }
                return (page, steps)
            }
            #expect(page.messages.count == 50, "\(key)")
            #expect(page.messages.map(\.messageId) == page.messages.map(\.messageId).sorted())
            costs[key] = steps
        }
        let cheapest = try #require(costs.values.min())
        let dearest = try #require(costs.values.max())
        #expect(dearest <= cheapest * 2, "steps of SQLite's virtual machine: \(costs)")
    }

    @Test func `a walk through all pages meets every message once in either direction`() async throws {
        let database = try await ChatFixtures.database()
        try await ChatFixtures.fill(database, ids: 1...1_003)
        let walks = try await database.read { read in
            var down: [Int64] = []
            var key: HistoryKey? = .newest
            while let current = key {
                let page = try read.history(current, with: "bob", limit: 50)
                down = page.messages.map(\.messageId) + down.dropFirst()
                key = page.previous
            }
            var up: [Int64] = []
            key = .after(0)
            while let current = key {
                let page = try read.history(current, with: "bob", limit: 50)
                up += page.messages.map(\.messageId)
                key = page.next
            }
            return [down, up]
        }
        #expect(walks == [Array(1...1_003), Array(1...1_003)])
    }

    private func plan(
        of sql: String, _ arguments: StatementArguments, in database: ChatDatabase
    ) async throws -> [String] {
        try await database.read { read in
            try Row.fetchAll(read.db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments).map { $0["detail"] }
        }
    }

    /// Counts the instructions of SQLite's virtual machine, in steps of ten.
    private static func countingSteps(_ db: Database, _ body: () throws -> Void) throws -> Int {
        let counter = StepCounter()
        let pointer = Unmanaged.passUnretained(counter).toOpaque()
        sqlite3_progress_handler(
            db.sqliteConnection, 10,
            { pointer in
                Unmanaged<StepCounter>.fromOpaque(pointer!).takeUnretainedValue().steps += 1
                return 0
            }, pointer)
        defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
        try body()
        return counter.steps
    }

    private final class StepCounter { var steps = 0 }
}
