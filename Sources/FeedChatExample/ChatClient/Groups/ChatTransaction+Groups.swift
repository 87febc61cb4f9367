package import ChatWire
import GRDB

extension ChatTransaction {
    /// Stores the server's state of a group; a state older than the stored one is ignored.
    package func save(_ group: ChatGroup) throws {
        try db.execute(
            sql: """
                INSERT INTO Users(id, name, avatarUrl, isGroup, groupRevision) VALUES (?, ?, '', 1, ?)
                ON CONFLICT(id) DO UPDATE
                    SET name = excluded.name, isGroup = 1, groupRevision = excluded.groupRevision
                    WHERE excluded.groupRevision >= groupRevision
                """, arguments: [group.id, group.title, group.revision])
        guard db.changesCount > 0 else { return }
        try db.execute(sql: "DELETE FROM GroupMembers WHERE groupId = ?", arguments: [group.id])
        for (place, member) in group.members.enumerated() {
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO GroupMembers(groupId, userId, name, role, place) VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [group.id, member.userId, member.name, member.role.rawValue, place])
        }
        changes.append(.users)
    }

    /// The groups that the user is in, each with its revision.
    package func groupRevisions() throws -> [String: Int64] {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT groupId, groupRevision FROM GroupMembers JOIN Users ON id = groupId WHERE userId = ?",
            arguments: [userId])
        return Dictionary(rows.map { ($0["groupId"], $0["groupRevision"]) }) { first, _ in first }
    }

    /// Stores all groups of the user, and removes the user from others.
    ///
    /// - Parameter before: ``groupRevisions()`` before the request; groups that changed since are not in the answer.
    package func save(_ groups: [ChatGroup], insteadOf before: [String: Int64]) throws {
        let now = try groupRevisions()
        for group in groups { try save(group) }
        let present = Set(groups.map(\.id))
        for (id, revision) in before where !present.contains(id) && now[id] == revision {
            try db.execute(
                sql: "DELETE FROM GroupMembers WHERE groupId = ? AND userId = ?", arguments: [id, userId])
        }
    }

    /// Returns a group with its members; `nil` for anything else.
    package func group(_ id: String) throws -> ChatGroup? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM Users WHERE id = ? AND isGroup", arguments: [id])
        else { return nil }
        let members = try Row.fetchAll(
            db, sql: "SELECT * FROM GroupMembers WHERE groupId = ? ORDER BY place", arguments: [id]
        ).map { row in
            GroupMember(userId: row["userId"], name: row["name"], role: GroupRole(rawValue: row["role"]) ?? .member)
        }
        return ChatGroup(id: id, title: row["name"], members: members, revision: row["groupRevision"])
    }

    /// The groups that the user is in, by title.
    package func groups() throws -> [User] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT Users.* FROM Users JOIN GroupMembers ON groupId = id AND userId = ?
                WHERE isGroup ORDER BY Users.name, id
                """, arguments: [userId]
        ).map(User.init(row:))
    }

    /// Returns whether an unread message of a conversation mentions the user.
    func hasUnreadMention(in contactId: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM Messages, json_each(mentions)
                    WHERE contactId = ? AND status < 2 AND isIncoming AND value = ?)
                """, arguments: [contactId, userId]) == true
    }
}
