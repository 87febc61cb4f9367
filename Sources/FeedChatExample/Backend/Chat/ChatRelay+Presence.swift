import ChatWire
import Foundation
import GRDB

/// Sockets, and who is there.
extension ChatRelay {
    /// Adds a socket, tells its user's contacts, and tells it of them.
    func connect(_ user: Int64, _ socket: ChatSocket) -> Int {
        lastSocket += 1
        sockets[user, default: [:]][lastSocket] = socket
        notePresence(of: user)
        for contact in contacts(of: user) { socket.send(status(of: contact)) }
        announce(user)
        return lastSocket
    }

    /// Takes a socket away.
    func disconnect(_ user: Int64, _ id: Int) {
        guard sockets[user]?.removeValue(forKey: id) != nil else { return }
        if sockets[user]?.isEmpty == true { sockets[user] = nil }
        notePresence(of: user)
        announce(user)
    }

    /// Closes every socket, as a restart of a load balancer does.
    package func cutSockets() {
        for socket in sockets.values.flatMap(\.values) { socket.close() }
    }

    /// How many sockets a user has.
    package func socketCount(of user: Int64) -> Int { sockets[user]?.count ?? 0 }

    /// Takes a sign of life: tells where the user's events stand, and repeats their presence before it expires at others.
    func heard(_ user: Int64, _ socket: ChatSocket) {
        // A heartbeat that cannot be answered in full is answered by the pong.
        if let last = try? transact({ try $0.lastEvent(of: user) }) { socket.send(ChatEvent(content: .position(last))) }
        if let last = announced[user], ContinuousClock.now - last < configuration.presenceInterval { return }
        announce(user)
    }

    /// Passes on that somebody is typing, to who is connected; nothing is kept.
    func typing(_ user: Int64, _ frame: TypingFrame) {
        guard let recipient = Int64(frame.toUserId) else { return }
        let status = ContactStatus(userId: "\(user)", online: true, typing: frame.isTyping, lastConnectedAt: nil)
        tell(recipient, status)
    }

    private func announce(_ user: Int64) {
        announced[user] = sockets[user] == nil ? nil : .now
        let status = status(of: user)
        for contact in contacts(of: user) { tell(contact, status) }
    }

    private func tell(_ user: Int64, _ status: ContactStatus) {
        for socket in (sockets[user] ?? [:]).values { socket.send(status) }
    }

    private func status(of user: Int64) -> ContactStatus {
        // Presence is best effort: without the time of the last connection it still says who is there.
        let time = try? database.queue.read { db in
            try Int64.fetchOne(db, sql: "SELECT lastConnectedAt FROM chatUser WHERE userId = ?", arguments: [user])
        }
        return ContactStatus(
            userId: "\(user)", online: sockets[user] != nil, typing: false, lastConnectedAt: time ?? nil)
    }

    private func contacts(of user: Int64) -> [Int64] {
        // Presence is best effort: who cannot be read is not told.
        let found = try? database.queue.read { db in
            try Int64.fetchAll(db, sql: "SELECT contactId FROM chatContact WHERE userId = ?", arguments: [user])
        }
        return found ?? []
    }

    private func notePresence(of user: Int64) {
        // Presence is best effort: a time that is not written is an older one.
        try? database.queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO chatUser(userId, lastConnectedAt) VALUES (?, ?)
                    ON CONFLICT(userId) DO UPDATE SET lastConnectedAt = excluded.lastConnectedAt
                    """, arguments: [user, Self.milliseconds(Date())])
        }
    }
}
