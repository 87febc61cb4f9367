import ChatWire
import Foundation
import GRDB

/// Sockets and presence.
extension ChatRelay {
    /// Adds a socket, reports its user's presence to the contacts, and theirs to it.
    func connect(_ caller: ChatCaller, _ socket: ChatSocket) async throws -> Int {
        let mailbox = try await transact { try $0.mailbox(of: caller) }
        lastSocket += 1
        let id = lastSocket
        sockets[caller.user, default: [:]][id] = OpenSocket(socket: socket, mailbox: mailbox, session: caller.session)
        await notePresence(of: caller.user)
        for contact in await contacts(of: caller.user) {
            socket.send(status(of: contact.id, lastConnectedAt: contact.lastConnectedAt))
        }
        await announce(caller.user)
        return id
    }

    /// Removes a socket.
    func disconnect(_ user: Int64, _ id: Int) async {
        guard let gone = sockets[user]?.removeValue(forKey: id) else { return }
        if sockets[user]?.isEmpty == true { sockets[user] = nil }
        await announceWaiting(in: gone.mailbox)
        await notePresence(of: user)
        await announce(user)
    }

    /// Closes every socket, as a restart of a load balancer does.
    package func cutSockets() {
        for open in sockets.values.flatMap(\.values) { open.socket.close() }
    }

    /// Closes the sockets of a device that was signed out.
    func closeSockets(ofSession session: Int64) {
        for open in sockets.values.flatMap(\.values) where open.session == session { open.socket.close() }
    }

    /// Returns the number of sockets of a user.
    package func socketCount(of user: Int64) -> Int { sockets[user]?.count ?? 0 }

    /// Handles a heartbeat: sends the position of the device's events, and repeats its user's presence before it
    /// expires.
    func noteActivity(of caller: ChatCaller, on socket: ChatSocket) async {
        // If the position cannot be read, the pong alone is the answer.
        try? await transact { try $0.tellPosition(of: caller, to: socket) }
        if let last = announced[caller.user], ContinuousClock.now - last < configuration.presenceInterval { return }
        await announce(caller.user)
    }

    /// Forwards a typing notice to connected users; it is not stored.
    func typing(_ user: Int64, _ frame: TypingFrame) async {
        guard let recipient = Int64(frame.toUserId) else { return }
        var status = ContactStatus(userId: "\(user)", online: true, typing: frame.isTyping, lastConnectedAt: nil)
        let members = await members(of: recipient)
        guard !members.isEmpty else { return tell(recipient, status) }
        guard members.contains(user) else { return }
        status.groupId = frame.toUserId
        for member in members where member != user { tell(member, status) }
    }

    /// Returns the members of a group; none if it is not a group.
    private func members(of group: Int64) async -> [Int64] {
        // Typing is best effort: on a read error nobody is notified.
        let found = try? await database.queue.read { db in
            try Int64.fetchAll(db, sql: "SELECT userId FROM chatMember WHERE groupId = ?", arguments: [group])
        }
        return found ?? []
    }

    private func announce(_ user: Int64) async {
        announced[user] = sockets[user] == nil ? nil : .now
        let contacts = await contacts(of: user)
        let status = status(of: user, lastConnectedAt: now)
        for contact in contacts { tell(contact.id, status) }
    }

    private func tell(_ user: Int64, _ status: ContactStatus) {
        for open in (sockets[user] ?? [:]).values { open.socket.send(status) }
    }

    private func status(of user: Int64, lastConnectedAt: Int64?) -> ContactStatus {
        ContactStatus(
            userId: "\(user)", online: sockets[user] != nil, typing: false, lastConnectedAt: lastConnectedAt)
    }

    /// Returns the users with whom a user has a chat or shares a group.
    private func contacts(of user: Int64) async -> [(id: Int64, lastConnectedAt: Int64?)] {
        // Presence is best effort: on a read error nobody is notified.
        let found = try? await database.queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT contactId, lastConnectedAt FROM (
                        SELECT contactId FROM chatContact WHERE userId = :user
                        UNION
                        SELECT others.userId FROM chatMember JOIN chatMember AS others USING (groupId)
                        WHERE chatMember.userId = :user AND others.userId <> :user
                    ) LEFT JOIN chatUser ON chatUser.userId = contactId
                    """, arguments: ["user": user]
            ).map { row -> (id: Int64, lastConnectedAt: Int64?) in (row["contactId"], row["lastConnectedAt"]) }
        }
        return found ?? []
    }

    private func notePresence(of user: Int64) async {
        let now = now
        // Presence is best effort: if the write fails, the stored time is older.
        try? await database.queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO chatUser(userId, lastConnectedAt) VALUES (?, ?)
                    ON CONFLICT(userId) DO UPDATE SET lastConnectedAt = excluded.lastConnectedAt
                    """, arguments: [user, now])
        }
    }
}
