package import AppFoundation
package import Foundation
import GRDB

/// The metadata of the feed.
package struct FeedMetadata: Codable, Sendable, Equatable {
    /// The key of the page after the last loaded one; `nil` at the end, and before any page was loaded.
    package var nextCursor: String?
    /// Whether the server has more posts than were loaded, as far as known.
    package var hasMore = true
    /// The time at which the beginning was last loaded.
    package var lastRefreshed: Date?

    package init() {}
}

/// The local data source of metadata: small values by name.
package struct MetadataStore: Sendable {
    package let database: AppDatabase

    package init(_ database: AppDatabase) {
        self.database = database
    }

    /// Returns the name of this database, a prefix of request ids that makes them different from those of other
    /// databases.
    package func databaseID() async throws -> String {
        try await database.read {
            try String.fetchOne($0, sql: "SELECT value FROM Metadata WHERE name = 'databaseID'") ?? ""
        }
    }

    /// Reads a value; `nil` if there is none, or it was written by another version of the app.
    package func value<Value: Codable & Sendable>(_ type: Value.Type, named name: String) async throws -> Value? {
        let text = try await database.read {
            try String.fetchOne($0, sql: "SELECT value FROM Metadata WHERE name = ?", arguments: [name])
        }
        // A value of another version counts as missing.
        return text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    /// Changes a value in one transaction; `start` is its value if there is none.
    func update<Value: Codable & Sendable>(
        named name: String, from start: Value, _ change: @escaping @Sendable (inout Value) -> Void
    ) async throws {
        try await database.write { db in
            let text = try String.fetchOne(db, sql: "SELECT value FROM Metadata WHERE name = ?", arguments: [name])
            // A value of another version counts as missing.
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
