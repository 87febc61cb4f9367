import Foundation
import GRDB

/// Pages as JSON in one column, through GRDB.
struct BlobPages {
    let pool: DatabasePool
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(path: String) throws {
        pool = try DatabasePool(path: path)
        try pool.write { db in
            try db.execute(sql: "CREATE TABLE page (key TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL)")
        }
    }

    func save(_ stories: [Story], as key: String) throws {
        let data = try encoder.encode(stories)
        try pool.write { db in
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO page VALUES (?, ?)").execute(arguments: [key, data])
        }
    }

    func load(_ key: String) throws -> [Story]? {
        let data = try pool.read { db in
            try Data.fetchOne(
                try db.cachedStatement(sql: "SELECT content FROM page WHERE key = ?"), arguments: [key])
        }
        return try data.map { try decoder.decode([Story].self, from: $0) }
    }
}
