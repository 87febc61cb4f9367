import Foundation
import GRDB

/// Somebody who has an account.
package struct BackendUser: Sendable, Codable, Hashable, FetchableRecord {
    package let id: Int64
    package let name: String
    package let profileImageThumbnailUrl: String
}

/// Users and their tokens: `POST /v1/sessions` signs in, `DELETE /v1/session` signs out. A name without an account gets one.
package final class Accounts: Sendable {
    private let database: BackendDatabase

    init(_ database: BackendDatabase) throws {
        self.database = database
        var migrator = DatabaseMigrator()
        migrator.registerMigration("accounts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE user (
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, profileImageThumbnailUrl TEXT NOT NULL);
                    CREATE TABLE session (token TEXT PRIMARY KEY, userId INTEGER NOT NULL REFERENCES user) WITHOUT ROWID;
                    """)
        }
        try migrator.migrate(database.queue)
    }

    /// Returns the user of a name, and makes one where there is none.
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

    func user(ofToken token: String) throws -> BackendUser? {
        try database.queue.read { db in
            try BackendUser.fetchOne(
                db, sql: "SELECT user.* FROM user JOIN session ON session.userId = user.id WHERE session.token = ?",
                arguments: [token])
        }
    }

    private struct SignIn: Decodable {
        let name: String
    }

    private struct Session: Encodable {
        let token: String
        let user: BackendUser
    }

    func addRoutes(to routes: inout BackendRoutes) {
        routes.addOpen("POST /v1/sessions") { [self] request in
            let name = try request.decoded(SignIn.self).name
            guard (1...100).contains(name.count) else { throw BackendRefusal(400, "a name has 1 to 100 characters") }
            let token = UUID().uuidString
            let user = try await database.queue.write { [self] db in
                let user = try self.user(named: name, db)
                try db.execute(sql: "INSERT INTO session VALUES (?, ?)", arguments: [token, user.id])
                return user
            }
            return try .json(Session(token: token, user: user), status: 201)
        }
        routes.add("DELETE /v1/session") { [self] request, _ in
            try await database.queue.write { db in
                try db.execute(sql: "DELETE FROM session WHERE token = ?", arguments: [request.bearerToken])
            }
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
