package import AppFoundation
import Foundation
import GRDB

/// What a user has written and not sent: a new post (id 0), an edit of one of their posts, or of their profile (an id that no post has).
package struct Draft: Sendable, Equatable {
    package let postID: Int64
    package let content: String
    /// The version of the post that the edit is based on.
    package let baseVersion: Int
    /// What the server has meanwhile, where that is in conflict; the user chooses.
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

    /// Notes that the server has another text; until the user chooses, both are kept.
    package func setConflict(of post: Int64, with content: String, version: Int) async throws {
        try await database.write { db in
            try db.execute(
                sql: "UPDATE Drafts SET serverContent = ?, serverVersion = ? WHERE postId = ?",
                arguments: [content, version, post])
        }
    }

    /// The user keeps their own text: the draft is based on what the server has now.
    package func keepMine(of post: Int64) async throws {
        try await database.write { db in
            try db.execute(
                sql: """
                    UPDATE Drafts SET baseVersion = serverVersion, serverContent = NULL, serverVersion = NULL
                    WHERE postId = ? AND serverVersion IS NOT NULL
                    """, arguments: [post])
        }
    }

    /// The server has what a draft was: it is done with, but for what was typed meanwhile, which is based on that then.
    package func saved(_ draft: Draft, version: Int) async throws {
        try await database.write { db in
            try db.execute(
                sql: "DELETE FROM Drafts WHERE postId = ? AND content = ?", arguments: [draft.postID, draft.content])
            try db.execute(
                sql: "UPDATE Drafts SET baseVersion = ? WHERE postId = ?", arguments: [version, draft.postID])
        }
    }

    package func remove(of post: Int64) async throws {
        try await database.write { try $0.execute(sql: "DELETE FROM Drafts WHERE postId = ?", arguments: [post]) }
    }
}
