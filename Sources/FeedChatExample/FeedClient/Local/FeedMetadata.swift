package import AppFoundation
package import Foundation
import GRDB

/// What the client knows about the feed beside its posts.
package struct FeedMetadata: Codable, Sendable, Equatable {
    /// The key of the page after the last one that was loaded; `nil` at the end, and before anything was.
    package var nextCursor: String?
    /// Whether the server has more than was loaded, as far as is known.
    package var hasMore = true
    /// When the beginning was loaded last.
    package var lastRefreshed: Date?

    package init() {}
}

/// The local data source of metadata: small values by name.
package struct MetadataStore: Sendable {
    package let database: AppDatabase

    package init(_ database: AppDatabase) {
        self.database = database
    }

    /// Names this database; request ids begin with it, so that those of another database never repeat them.
    package func databaseID() async throws -> String {
        try await database.read {
            try String.fetchOne($0, sql: "SELECT value FROM Metadata WHERE name = 'databaseID'") ?? ""
        }
    }

    /// Reads a value; `nil` when there is none, and when it is of another version of the app.
    package func value<Value: Codable & Sendable>(_ type: Value.Type, named name: String) async throws -> Value? {
        let text = try await database.read {
            try String.fetchOne($0, sql: "SELECT value FROM Metadata WHERE name = ?", arguments: [name])
        }
        // A value of another version counts as none.
        return text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    /// Changes a value, which begins as `start` where there is none, in one transaction.
    func update<Value: Codable & Sendable>(
        named name: String, from start: Value, _ change: @escaping @Sendable (inout Value) -> Void
    ) async throws {
        try await database.write { db in
            let text = try String.fetchOne(db, sql: "SELECT value FROM Metadata WHERE name = ?", arguments: [name])
            // A value of another version counts as none.
            var value = text.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) } ?? start
            change(&value)
            let new = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
            try db.execute(sql: "INSERT OR REPLACE INTO Metadata VALUES (?, ?)", arguments: [name, new])
        }
    }

    package func set(_ value: some Codable & Sendable, named name: String) async throws {
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        try await database.write {
            try $0.execute(sql: "INSERT OR REPLACE INTO Metadata VALUES (?, ?)", arguments: [name, text])
        }
    }
}
