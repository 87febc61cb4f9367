import ChatWire
import Foundation
import GRDB

/// Groups: members and permissions. Every change is reported to all members as the resulting group.
extension ChatWriter {
    mutating func makeGroup(_ body: NewGroupBody, by caller: ChatCaller) throws -> ChatGroup {
        guard (1...200).contains(body.requestId.utf8.count) else { throw BackendRefusal(400, "a requestId is missing") }
        let known = try Int64.fetchOne(
            db, sql: "SELECT id FROM chatGroup WHERE makerId = ? AND requestId = ?",
            arguments: [caller.user, body.requestId])
        if let known { return try group(known, for: caller) }
        let members = try Set(body.memberIds).map(user).filter { $0 != caller.user }.sorted()
        guard (1..<ChatGroup.limit).contains(members.count) else {
            throw BackendRefusal(413, "a group has 2 to \(ChatGroup.limit) members")
        }
        let id = makeID()
        try db.execute(
            sql: "INSERT INTO chatGroup(id, title, makerId, requestId) VALUES (?, ?, ?, ?)",
            arguments: [id, try title(body.title), caller.user, body.requestId])
        try add(caller.user, to: id, as: .owner)
        for member in members { try add(member, to: id, as: .member) }
        return try tellGroup(id, andOthersOf: caller)
    }

    func groups(of user: Int64) throws -> [ChatGroup] {
        try Int64.fetchAll(
            db, sql: "SELECT groupId FROM chatMember WHERE userId = ? ORDER BY groupId", arguments: [user]
        ).map(group)
    }

    mutating func rename(_ id: Int64, to name: String, by caller: ChatCaller) throws -> ChatGroup {
        try allow(.rename, in: id, caller)
        try db.execute(sql: "UPDATE chatGroup SET title = ? WHERE id = ?", arguments: [try title(name), id])
        return try tellGroup(id, andOthersOf: caller)
    }

    /// Adds a member, or changes a member's role.
    mutating func setRole(_ role: GroupRole, of member: Int64, in id: Int64, by caller: ChatCaller) throws -> ChatGroup
    {
        guard let before = try self.role(of: member, in: id) else {
            try allow(.add, in: id, caller)
            guard role == .member else { throw BackendRefusal(403, "who is added is a member first") }
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM chatMember WHERE groupId = ?", arguments: [id])
            guard count ?? 0 < ChatGroup.limit else { throw BackendRefusal(413, "the group is full") }
            try add(try user("\(member)"), to: id, as: .member)
            return try tellGroup(id, andOthersOf: caller)
        }
        guard before != role else { return try group(id, for: caller) }
        try allow(.setRole(from: before, to: role), in: id, caller)
        // A group has one owner.
        if role == .owner { try set(.admin, of: caller.user, in: id) }
        try set(role, of: member, in: id)
        return try tellGroup(id, andOthersOf: caller)
    }

    /// Removes a member, or lets the caller leave.
    mutating func remove(_ member: Int64, from id: Int64, by caller: ChatCaller) throws -> ChatGroup {
        guard let role = try role(of: member, in: id) else { return try group(id, for: caller) }
        try allow(member == caller.user ? .leave : .remove(role), in: id, caller)
        let before = try group(id)
        try db.execute(sql: "DELETE FROM chatMember WHERE groupId = ? AND userId = ?", arguments: [id, member])
        // Receipts of the removed member are no longer awaited.
        try db.execute(
            sql: """
                DELETE FROM chatGroupReceipt
                WHERE userId = ? AND messageId IN (SELECT id FROM chatMessage WHERE toUserId = ?)
                """, arguments: [member, id])
        try settleReceipts(in: id)
        if role == .owner, let next = ChatGroup.successor(of: "\(member)", in: before.members).flatMap({ Int64($0) }) {
            try set(.owner, of: next, in: id)
        }
        return try tellGroup(id, andTo: member, andOthersOf: caller)
    }

    /// Updates messages to the status that all remaining members have. Completed ones are kept no longer than delivered
    /// messages.
    private mutating func settleReceipts(in id: Int64) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT chatMessage.*, min(chatGroupReceipt.status) AS common FROM chatMessage
                LEFT JOIN chatGroupReceipt ON messageId = id WHERE toUserId = ? GROUP BY id
                """, arguments: [id])
        for row in rows {
            if let common: Int = row["common"] {
                try raise(row, to: common)
            } else {
                try db.execute(
                    sql: "UPDATE chatMessage SET deliveredAt = coalesce(deliveredAt, ?) WHERE id = ?",
                    arguments: [now, row["id"] as Int64])
            }
        }
    }

    // MARK: What others need

    /// Returns the role of a user in a group; `nil` if there is no such group, or the user is not a member.
    func role(of user: Int64, in group: Int64) throws -> GroupRole? {
        try String.fetchOne(
            db, sql: "SELECT role FROM chatMember WHERE groupId = ? AND userId = ?", arguments: [group, user]
        ).flatMap(GroupRole.init(rawValue:))
    }

    func isGroup(_ id: Int64) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM chatGroup WHERE id = ?)", arguments: [id]) == true
    }

    /// Returns the recipients of a message to a user or a group, without the sender.
    func recipients(of id: Int64, from user: Int64) throws -> [Int64] {
        guard try isGroup(id) else { return [id] }
        return try Int64.fetchAll(
            db, sql: "SELECT userId FROM chatMember WHERE groupId = ? AND userId <> ? ORDER BY place",
            arguments: [id, user])
    }

    private func allow(_ act: GroupAct, in id: Int64, _ caller: ChatCaller) throws {
        guard let role = try role(of: caller.user, in: id) else {
            throw BackendRefusal(404, "there is no such group of yours")
        }
        guard role.allows(act) else { throw BackendRefusal(403, "your role does not allow it") }
    }

    private func group(_ id: Int64, for caller: ChatCaller) throws -> ChatGroup {
        try allow(.write, in: id, caller)
        return try group(id)
    }

    private func group(_ id: Int64) throws -> ChatGroup {
        let row = try Row.fetchOne(db, sql: "SELECT title, revision FROM chatGroup WHERE id = ?", arguments: [id])
        let members = try Row.fetchAll(
            db,
            sql: """
                SELECT chatMember.*, user.name FROM chatMember JOIN user ON user.id = userId
                WHERE groupId = ? ORDER BY place
                """, arguments: [id]
        ).map { row in
            GroupMember(
                userId: "\(row["userId"] as Int64)", name: row["name"],
                role: GroupRole(rawValue: row["role"]) ?? .member)
        }
        return ChatGroup(
            id: "\(id)", title: row?["title"] ?? "", members: members, revision: row?["revision"] ?? 0)
    }

    private mutating func tellGroup(
        _ id: Int64, andTo gone: Int64? = nil, andOthersOf caller: ChatCaller
    ) throws -> ChatGroup {
        let revision = makeID()
        try db.execute(sql: "UPDATE chatGroup SET revision = ? WHERE id = ?", arguments: [revision, id])
        let group = try group(id)
        var others = try recipients(of: id, from: caller.user)
        if let gone, gone != caller.user { others.append(gone) }
        try tell(.groupChanged(group), as: revision, to: others, andOthersOf: caller)
        return group
    }

    private func add(_ user: Int64, to group: Int64, as role: GroupRole) throws {
        try db.execute(
            sql: "INSERT INTO chatMember VALUES (?, ?, ?, ?)", arguments: [group, user, role.rawValue, makeID()])
    }

    private func set(_ role: GroupRole, of user: Int64, in group: Int64) throws {
        try db.execute(
            sql: "UPDATE chatMember SET role = ? WHERE groupId = ? AND userId = ?",
            arguments: [role.rawValue, group, user])
    }

    private func title(_ text: String) throws -> String {
        guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= 200 else {
            throw BackendRefusal(400, "a title has 1 to 200 bytes")
        }
        return text
    }

    private func user(_ text: String) throws -> Int64 {
        guard let id = Int64(text),
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM user WHERE id = ?)", arguments: [id]) == true
        else { throw BackendRefusal(404, "there is no such user") }
        return id
    }
}
