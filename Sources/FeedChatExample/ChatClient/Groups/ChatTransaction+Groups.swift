package import ChatWire
import GRDB

extension ChatTransaction {
    /// Takes a group as the server says that it is.
    package func save(_ group: ChatGroup) throws {
        try db.execute(
            sql: """
                INSERT INTO Users(id, name, avatarUrl, isGroup) VALUES (?, ?, '', 1)
                ON CONFLICT(id) DO UPDATE SET name = excluded.name, isGroup = 1
                """, arguments: [group.id, group.title])
        try db.execute(sql: "DELETE FROM GroupMembers WHERE groupId = ?", arguments: [group.id])
        for (place, member) in group.members.enumerated() {
            try db.execute(
                sql: "INSERT INTO GroupMembers(groupId, userId, name, role, place) VALUES (?, ?, ?, ?, ?)",
                arguments: [group.id, member.userId, member.name, member.role.rawValue, place])
        }
        changes.append(.users)
    }

    /// Takes all groups of the user: in the others they are no more.
    func save(_ groups: [ChatGroup]) throws {
        for group in groups { try save(group) }
        let left = try String.fetchAll(
            db, sql: "SELECT DISTINCT groupId FROM GroupMembers WHERE userId = ?", arguments: [userId])
        for id in Set(left).subtracting(groups.map(\.id)) {
            try db.execute(
                sql: "DELETE FROM GroupMembers WHERE groupId = ? AND userId = ?", arguments: [id, userId])
        }
    }

    /// A group with its members; `nil` for anything else.
    package func group(_ id: String) throws -> ChatGroup? {
        guard let user = try user(id), user.isGroup else { return nil }
        let members = try Row.fetchAll(
            db, sql: "SELECT * FROM GroupMembers WHERE groupId = ? ORDER BY place", arguments: [id]
        ).map { row in
            GroupMember(userId: row["userId"], name: row["name"], role: GroupRole(rawValue: row["role"]) ?? .member)
        }
        return ChatGroup(id: id, title: user.name, members: members)
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

    /// Whether a message of a conversation that was not read names the user.
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
