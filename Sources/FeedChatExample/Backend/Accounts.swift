import Foundation
import GRDB
import PaginatorCore

/// A user with an account.
package struct BackendUser: Sendable, Codable, Hashable, FetchableRecord {
    package let id: Int64
    package let name: String
    package let profileImageThumbnailUrl: String
}

/// Users and their tokens: `POST /v1/sessions` signs in, `DELETE /v1/session` signs out. A new name gets an account.
///
/// A sign-in may name its device: signing in there again replaces the token of its session.
package final class Accounts: Sendable {
    private let database: BackendDatabase
    private let sessions = Guarded<[String: SignedIn]>([:])

    init(_ database: BackendDatabase) throws {
        self.database = database
        var migrator = DatabaseMigrator()
        migrator.registerMigration("accounts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE user (
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, profileImageThumbnailUrl TEXT NOT NULL);
                    CREATE TABLE session (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE,
                        userId INTEGER NOT NULL REFERENCES user);
                    """)
        }
        migrator.registerMigration("accounts-2") { db in
            try db.execute(sql: "ALTER TABLE session ADD COLUMN device TEXT")
        }
        try migrator.migrate(database.queue)
    }

    /// Returns the user of a name, created if it is new.
    package func user(named name: String) throws -> BackendUser {
        try database.queue.write { db in try self.user(named: name, db) }
    }

    private func user(named name: String, _ db: Database) throws -> BackendUser {
        if let user = try BackendUser.fetchOne(db, sql: "SELECT * FROM user WHERE name = ?", arguments: [name]) {
            return user
        }
        let id = database.makeID()
        let user = BackendUser(id: id, name: name, profileImageThumbnailUrl: "/cdn/images/avatar-\(id)")
        try db.execute(
            sql: "INSERT INTO user (id, name, profileImageThumbnailUrl) VALUES (?, ?, ?)",
            arguments: [user.id, user.name, user.profileImageThumbnailUrl])
        return user
    }

    /// A signed-in device of a user.
    struct SignedIn: Sendable {
        let id: Int64
        let user: BackendUser
    }

    /// Returns the session of a token; each is read from the database once.
    func session(ofToken token: String) async throws -> SignedIn? {
        if let session = sessions.withLock({ $0[token] }) { return session }
        return try await database.queue.read { [sessions] db in
            let session = try Row.fetchOne(
                db,
                sql: """
                    SELECT user.*, session.id AS sessionId FROM user JOIN session ON session.userId = user.id
                    WHERE session.token = ?
                    """, arguments: [token]
            ).map { row in try SignedIn(id: row["sessionId"], user: BackendUser(row: row)) }
            // Here, so that a session that has just ended is not cached again.
            if let session { sessions.withLock { $0[token] = session } }
            return session
        }
    }

    private struct SignIn: Decodable {
        let name: String
        /// The id of the device, constant for an installation of the app; `nil` if the client has none.
        let device: String?
    }

    private struct Session: Encodable {
        let token: String
        let user: BackendUser
    }

    /// Gives a device's session another token, or makes a session.
    private func replaceToken(of user: BackendUser, on device: String?, with token: String, _ db: Database) throws {
        let old = try Row.fetchOne(
            db, sql: "SELECT id, token FROM session WHERE userId = ? AND device = ?", arguments: [user.id, device])
        guard let old else {
            try db.execute(
                sql: "INSERT INTO session(token, userId, device) VALUES (?, ?, ?)",
                arguments: [token, user.id, device])
            return
        }
        try db.execute(
            sql: "UPDATE session SET token = ? WHERE id = ?", arguments: [token, old["id"] as Int64])
        // Here, because no reader that could add it again runs now.
        sessions.withLock { $0[old["token"]] = nil }
    }

    /// - Parameter onSignOut: called with each session that ends.
    func addRoutes(
        to routes: inout BackendRoutes, onSignOut: @escaping @Sendable (_ session: Int64) async -> Void
    ) {
        routes.addOpen("POST /v1/sessions") { [self] request in
            let asked = try request.decoded(SignIn.self)
            guard (1...100).contains(asked.name.count) else {
                throw BackendRefusal(400, "a name has 1 to 100 characters")
            }
            guard (asked.device?.utf8.count ?? 1) <= 100 else {
                throw BackendRefusal(400, "the id of a device has at most 100 bytes")
            }
            let token = UUID().uuidString
            let user = try await database.queue.write { [self] db in
                let user = try self.user(named: asked.name, db)
                try replaceToken(of: user, on: asked.device, with: token, db)
                return user
            }
            return try .json(Session(token: token, user: user), status: 201)
        }
        routes.add("DELETE /v1/session") { [self] request, _ in
            try await database.queue.write { [sessions] db in
                try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [request.session])
                // Here, because no reader that could add it again runs now.
                if let token = request.bearerToken { sessions.withLock { $0[token] = nil } }
            }
            await onSignOut(request.session)
            return BackendResponse(status: 204)
        }
        routes.add("GET /v1/users/:id") { [self] request, _ in
            let id = try request.id("id")
            let user = try await database.queue.read { db in
                try BackendUser.fetchOne(db, sql: "SELECT * FROM user WHERE id = ?", arguments: [id])
            }
            guard let user else { throw BackendRefusal(404, "there is no such user") }
            return try .json(user)
        }
    }
}
