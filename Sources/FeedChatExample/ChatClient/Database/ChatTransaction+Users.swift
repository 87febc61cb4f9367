import GRDB

extension ChatTransaction {
    /// Adds or updates contacts.
    package func save(_ users: [User]) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO Users(id, name, avatarUrl, lastConnectedAt) VALUES (?, ?, ?, ?)
                ON CONFLICT(id) DO UPDATE SET name = excluded.name, avatarUrl = excluded.avatarUrl,
                    lastConnectedAt = coalesce(excluded.lastConnectedAt, lastConnectedAt)
                """)
        for user in users {
            try statement.execute(arguments: [user.id, user.name, user.avatarUrl, user.lastConnectedAt])
        }
        changes.append(.users)
    }

    /// Ensures that a row exists to refer to; its name arrives with the contacts, see ``hasNewUsers``.
    func ensureUser(_ id: String) throws {
        let statement = try db.cachedStatement(
            sql: "INSERT INTO Users(id, name, avatarUrl) VALUES (?, ?, '') ON CONFLICT(id) DO NOTHING")
        try statement.execute(arguments: [id, id])
        if db.changesCount > 0 { hasNewUsers = true }
    }

    /// Stores when a contact was last seen, if that is later than the stored time.
    package func noteConnection(of id: String, at time: Int64) throws {
        try db.execute(
            sql: "UPDATE Users SET lastConnectedAt = max(coalesce(lastConnectedAt, 0), ?) WHERE id = ?",
            arguments: [time, id])
        changes.append(.users)
    }

    package func user(_ id: String) throws -> User? {
        try Row.fetchOne(db, sql: "SELECT * FROM Users WHERE id = ?", arguments: [id]).map(User.init(row:))
    }

    /// Returns all contacts to start a chat with, by name.
    package func contacts() throws -> [User] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM Users WHERE id <> ? AND NOT isGroup ORDER BY name, id", arguments: [userId]
        )
        .map(User.init(row:))
    }
}

extension User {
    init(row: Row) {
        self.init(
            id: row["id"], name: row["name"], avatarUrl: row["avatarUrl"], lastConnectedAt: row["lastConnectedAt"],
            isGroup: row["isGroup"])
    }
}
