import Dispatch
import Foundation
import GRDB
package import PaginatorCore

/// Pages of posts in a normalized schema: authors, posts, and positions of posts, each in its own table. The page store
/// is compared with it; the backend's flag `normalizedFeedStorage` enables it.
package final class NormalizedPostStore: PaginatorStore {
    private let queue = DispatchQueue(label: "normalized-posts")
    private let pool: DatabasePool
    private let maxPages: Int

    /// Opens or creates the store; call it off the main thread.
    ///
    /// - Parameter maxPages: the number of pages that stay, the last written ones.
    package init(path: String, maxPages: Int = .max) throws {
        self.maxPages = maxPages
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        pool = try DatabasePool(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("posts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, imagePath TEXT NOT NULL);
                    CREATE TABLE post (
                        id INTEGER PRIMARY KEY, summary TEXT NOT NULL,
                        authorId INTEGER NOT NULL REFERENCES author, createdAt DOUBLE NOT NULL,
                        isLiked INTEGER NOT NULL, likeCount INTEGER NOT NULL, commentCount INTEGER NOT NULL,
                        attachmentCount INTEGER NOT NULL, previewImagePath TEXT);
                    CREATE TABLE page (
                        id INTEGER PRIMARY KEY, scope TEXT NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL,
                        nextKey TEXT, prevKey TEXT, expiresAt DOUBLE, fetchedAt DOUBLE NOT NULL,
                        isInvalidated INTEGER NOT NULL, UNIQUE (scope, key, size));
                    CREATE TABLE tag (
                        pageId INTEGER NOT NULL REFERENCES page ON DELETE CASCADE, name TEXT NOT NULL,
                        PRIMARY KEY (pageId, name)) WITHOUT ROWID;
                    CREATE TABLE entry (
                        pageId INTEGER NOT NULL REFERENCES page ON DELETE CASCADE, position INTEGER NOT NULL,
                        postId INTEGER NOT NULL REFERENCES post, PRIMARY KEY (pageId, position)) WITHOUT ROWID;
                    CREATE INDEX entryByPost ON entry (postId);
                    """)
        }
        migrator.registerMigration("shares") { db in
            try db.execute(sql: "ALTER TABLE post ADD COLUMN shareCount INTEGER NOT NULL DEFAULT 0")
        }
        try migrator.migrate(pool)
    }

    package func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<Post>?, PaginatorError>) -> Void
    ) {
        queue.async { [pool] in
            completion(Self.result { try pool.read { try Self.page(identity, $0) } })
        }
    }

    package func apply(
        _ changes: [StoreChange<Post>], accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        queue.async { [pool, maxPages] in
            accepted(
                Self.result {
                    try pool.write { db in
                        for change in changes { try Self.apply(change, db) }
                        try Self.evict(beyond: maxPages, db)
                    }
                })
        }
    }

    package func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        queue.async { [pool] in
            completion(
                Self.result {
                    _ = try pool.writeWithoutTransaction { try $0.checkpoint(.full) }
                })
        }
    }

    private static func result<Value>(_ body: () throws -> Value) -> Result<Value, PaginatorError> {
        do {
            return .success(try body())
        } catch {
            return .failure(PaginatorError(.storeFailed, "The normalized store failed.", underlying: error))
        }
    }

    private static func pageID(_ identity: PageIdentity, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM page WHERE scope = ? AND key = ? AND size = ?",
            arguments: [identity.scope, identity.key, identity.pageSize])
    }

    private static func page(_ identity: PageIdentity, _ db: Database) throws -> StoredPage<Post>? {
        guard let page = try pageID(identity, db) else { return nil }
        let statement = try db.cachedStatement(
            sql: """
                SELECT post.*, author.name, author.imagePath FROM entry
                JOIN post ON post.id = entry.postId JOIN author ON author.id = post.authorId
                WHERE entry.pageId = ? ORDER BY entry.position
                """)
        let posts = try Row.fetchAll(statement, arguments: [page["id"] as Int64]).map { row in
            Post(
                id: row["id"], summary: row["summary"],
                author: Author(id: row["authorId"], name: row["name"], imagePath: row["imagePath"]),
                createdAt: Date(timeIntervalSince1970: row["createdAt"]), isLiked: row["isLiked"],
                likeCount: row["likeCount"], commentCount: row["commentCount"],
                attachmentCount: row["attachmentCount"], previewImagePath: row["previewImagePath"],
                shareCount: row["shareCount"])
        }
        return StoredPage(
            page: PaginatorPage(
                content: posts, key: identity.key,
                expirationTime: (page["expiresAt"] as Double?).map { Date(timeIntervalSince1970: $0) },
                prevKey: page["prevKey"], nextKey: page["nextKey"],
                tags: try String.fetchAll(
                    db, sql: "SELECT name FROM tag WHERE pageId = ?", arguments: [page["id"] as Int64])),
            fetchedAt: Date(timeIntervalSince1970: page["fetchedAt"]), isInvalidated: page["isInvalidated"])
    }

    private static func apply(_ change: StoreChange<Post>, _ db: Database) throws {
        switch change {
        case .save(let identity, let page): try save(identity, page, db)
        case .remove(let selection):
            for id in try ids(of: selection, db) {
                try db.execute(sql: "DELETE FROM page WHERE id = ?", arguments: [id])
            }
            try db.execute(sql: "DELETE FROM post WHERE id NOT IN (SELECT postId FROM entry)")
        case .invalidate(let selection):
            for id in try ids(of: selection, db) {
                try db.execute(sql: "UPDATE page SET isInvalidated = 1 WHERE id = ?", arguments: [id])
            }
        case .invalidateTags(let tags):
            for tag in tags {
                try db.execute(
                    sql: "UPDATE page SET isInvalidated = 1 WHERE id IN (SELECT pageId FROM tag WHERE name = ?)",
                    arguments: [tag])
            }
        case .edit(let selection, let edit):
            for identity in try identities(db) where selection.contains(identity) {
                guard let edited = try page(identity, db)?.edited(by: edit) else { continue }
                try save(identity, edited, db)
            }
        }
    }

    private static func evict(beyond maxPages: Int, _ db: Database) throws {
        // Every write gives a page a new number.
        try db.execute(
            sql: "DELETE FROM page WHERE id <= (SELECT id FROM page ORDER BY id DESC LIMIT 1 OFFSET ?)",
            arguments: [maxPages])
        guard db.changesCount > 0 else { return }
        try db.execute(sql: "DELETE FROM post WHERE id NOT IN (SELECT postId FROM entry)")
    }

    private static func identities(_ db: Database) throws -> [PageIdentity] {
        try Row.fetchAll(db, sql: "SELECT scope, key, size FROM page").map {
            PageIdentity(key: $0["key"], pageSize: $0["size"], scope: $0["scope"])
        }
    }

    private static func ids(of selection: PageSelection, _ db: Database) throws -> [Int64] {
        try Row.fetchAll(db, sql: "SELECT id, scope, key, size FROM page").compactMap { row in
            let identity = PageIdentity(key: row["key"], pageSize: row["size"], scope: row["scope"])
            return selection.contains(identity) ? row["id"] : nil
        }
    }

    private static func save(_ identity: PageIdentity, _ stored: StoredPage<Post>, _ db: Database) throws {
        let page = stored.page
        if let old = try pageID(identity, db) {
            try db.execute(sql: "DELETE FROM page WHERE id = ?", arguments: [old["id"] as Int64])
        }
        let addPage = try db.cachedStatement(
            sql: """
                INSERT INTO page (scope, key, size, nextKey, prevKey, expiresAt, fetchedAt, isInvalidated)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try addPage.execute(arguments: [
            identity.scope, identity.key, identity.pageSize, page.nextKey, page.prevKey,
            page.expirationTime?.timeIntervalSince1970, stored.fetchedAt.timeIntervalSince1970, stored.isInvalidated,
        ])
        let id = db.lastInsertedRowID
        for tag in page.tags {
            try db.execute(sql: "INSERT INTO tag VALUES (?, ?)", arguments: [id, tag])
        }
        let addAuthor = try db.cachedStatement(
            sql: """
                INSERT INTO author VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, imagePath = excluded.imagePath
                """)
        let addPost = try db.cachedStatement(
            sql: """
                INSERT INTO post VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET summary = excluded.summary, isLiked = excluded.isLiked,
                    likeCount = excluded.likeCount, commentCount = excluded.commentCount,
                    shareCount = excluded.shareCount
                """)
        let addEntry = try db.cachedStatement(sql: "INSERT INTO entry VALUES (?, ?, ?)")
        for (position, post) in page.content.enumerated() {
            try addAuthor.execute(arguments: [post.author.id, post.author.name, post.author.imagePath])
            try addPost.execute(arguments: [
                post.id, post.summary, post.author.id, post.createdAt.timeIntervalSince1970, post.isLiked,
                post.likeCount, post.commentCount, post.attachmentCount, post.previewImagePath, post.shareCount,
            ])
            try addEntry.execute(arguments: [id, position, post.id])
        }
    }
}
