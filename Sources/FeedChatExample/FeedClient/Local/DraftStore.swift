package import AppFoundation
import Foundation
import GRDB

/// An unsent text of a user: a new post (id 0), an edit of one of the user's posts, or of the profile (an id that no
/// post has).
package struct Draft: Sendable, Equatable {
    package let postID: Int64
    package let content: String
    /// The version of the post that the edit is based on.
    package let baseVersion: Int
    /// The server's current text in a conflict; the user chooses.
    package let serverContent: String?
    package let serverVersion: Int?

    package var isInConflict: Bool { serverContent != nil }
}

/// The local data source of drafts.
package struct DraftStore: Sendable {
    /// The draft of a new post.
    package static let newPost: Int64 = 0

    /// The draft of the user's own profile.
    package static let ownProfile = Int64.min

    package let database: AppDatabase

    package init(_ database: AppDatabase) {
        self.database = database
    }

    package func draft(of post: Int64) async throws -> Draft? {
        try await database.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM Drafts WHERE postId = ?", arguments: [post]).map {
                Draft(
                    postID: $0["postId"], content: $0["content"], baseVersion: $0["baseVersion"],
                    serverContent: $0["serverContent"], serverVersion: $0["serverVersion"])
            }
        }
    }

    package func save(_ content: String, of post: Int64, baseVersion: Int = 0) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO Drafts (postId, content, baseVersion, updatedAt) VALUES (?, ?, ?, ?)
                    ON CONFLICT (postId) DO UPDATE SET content = excluded.content, updatedAt = excluded.updatedAt
                    """, arguments: [post, content, baseVersion, Date()])
        }
    }

    /// Stores the server's other text; until the user chooses, both are kept.
    package func setConflict(of post: Int64, with content: String, version: Int) async throws {
        try await database.write { db in
            try db.execute(
                sql: "UPDATE Drafts SET serverContent = ?, serverVersion = ? WHERE postId = ?",
                arguments: [content, version, post])
        }
    }

    /// Bases the draft on the server's current version, because the user keeps the own text.
    package func keepMine(of post: Int64) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    UPDATE Drafts SET baseVersion = serverVersion, serverContent = NULL, serverVersion = NULL
                    WHERE postId = ? AND serverVersion IS NOT NULL
                    """, arguments: [post])
        }
    }

    /// Removes a draft that the server has saved. Text typed meanwhile stays, based on the saved version.
    package func saved(_ draft: Draft, version: Int) async throws {
        try await database.write { db in
            try db.execute(
                sql: "DELETE FROM Drafts WHERE postId = ? AND content = ?", arguments: [draft.postID, draft.content])
            try db.execute(
                sql: "UPDATE Drafts SET baseVersion = ? WHERE postId = ?", arguments: [version, draft.postID])
        }
    }

    package func remove(of post: Int64) async throws {
        try await database.write { try Self.remove(of: post, $0) }
    }

    static func remove(of post: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM Drafts WHERE postId = ?", arguments: [post])
    }
}
