import AppFoundation
import GRDB
import PaginatorCore

/// An index of seen posts, for searches without a connection: SQLite's FTS5. It keeps the newest ones.
struct SearchIndex: Sendable {
    let database: AppDatabase
    /// The maximum number of posts.
    let limit: Int
    /// The posts that were removed since the start. A page that was requested before may come after, and has them.
    private let removed = Guarded<Set<Int64>>([])

    func add(_ posts: [Post]) async throws {
        try await database.write { db in
            let statement = try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO PostIndex (rowid, summary, author, authorImage) VALUES (?, ?, ?, ?)")
            // Read here, where transactions follow each other: what is removed later is deleted by its own.
            let removed = removed.withLock { $0 }
            for post in posts where !removed.contains(post.id) {
                try statement.execute(
                    arguments: [post.id, post.summary, post.author.name, post.author.imagePath])
            }
            try db.execute(
                sql: """
                    DELETE FROM PostIndex WHERE rowid <= (
                        SELECT rowid FROM PostIndex ORDER BY rowid DESC LIMIT 1 OFFSET ?)
                    """, arguments: [limit])
        }
    }

    /// Adds posts. A failure is only logged: they are shown nevertheless, found by the server, and indexed when they
    /// are loaded again.
    func add(_ posts: [Post], loggingTo log: AppLog?) async {
        await log.attempt("\(posts.count) posts are not in the index of the search") { try await add(posts) }
    }

    /// Applies a change to an indexed post.
    func apply(_ change: PostChange) async throws {
        switch change.kind {
        case .edited(_, let summary):
            try await database.write { db in
                try db.execute(
                    sql: "UPDATE PostIndex SET summary = ? WHERE rowid = ?", arguments: [summary, change.postID])
            }
        case .deleted: try await remove(change.postID)
        case .counters, .commented: break
        }
    }

    func remove(_ id: Int64) async throws {
        removed.withLock { _ = $0.insert(id) }
        try await database.write { try $0.execute(sql: "DELETE FROM PostIndex WHERE rowid = ?", arguments: [id]) }
    }

    /// Finds posts with every word, or its prefix; the newest first.
    ///
    /// - Parameter last: finds only posts older than this one.
    func search(_ text: String, before last: Int64 = .max, limit: Int = 20) async throws -> [SearchHit] {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard !words.isEmpty else { return [] }
        let match = words.map { "\"\($0)\"*" }.joined(separator: " ")
        return try await database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT rowid, summary, author, authorImage FROM PostIndex WHERE PostIndex MATCH ? AND rowid < ?
                    ORDER BY rowid DESC LIMIT ?
                    """, arguments: [match, last, limit]
            ).map { row in
                SearchHit(
                    id: row["rowid"], summary: row["summary"], authorName: row["author"],
                    authorImagePath: row["authorImage"], isFromServer: false)
            }
        }
    }
}

/// A post found by a search.
package struct SearchHit: Sendable, Hashable, Identifiable {
    package let id: Int64
    package var summary: String
    package let authorName: String
    package let authorImagePath: String
    /// Whether the server found it; otherwise it is from the index of seen posts.
    package let isFromServer: Bool
}
