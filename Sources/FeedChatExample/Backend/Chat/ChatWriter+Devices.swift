import ChatWire
import Foundation
import GRDB

/// The devices of a user: one session each, with a mailbox and an optional push token.
extension ChatWriter {
    /// Returns the mailbox of a device; a new device takes over the unassigned one, or gets an empty one.
    func mailbox(of caller: ChatCaller) throws -> Int64 {
        let known = try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT id FROM chatMailbox WHERE sessionId = ?"), arguments: [caller.session])
        if let known {
            // Once a day is precise enough for limits in days, and saves a write with each call.
            try db.cachedStatement(sql: "UPDATE chatMailbox SET lastSeenAt = ? WHERE id = ? AND lastSeenAt < ?")
                .execute(arguments: [now, known, now - 86_400_000])
            return known
        }
        let waiting = try Int64.fetchOne(
            db, sql: "SELECT min(id) FROM chatMailbox WHERE userId = ? AND sessionId IS NULL",
            arguments: [caller.user])
        guard let waiting else { return try makeMailbox(of: caller.user, session: caller.session) }
        try db.execute(
            sql: "UPDATE chatMailbox SET sessionId = ?, lastSeenAt = ? WHERE id = ?",
            arguments: [caller.session, now, waiting])
        return waiting
    }

    /// Returns the mailboxes for the events of a user.
    ///
    /// A mailbox whose device was signed out, or was absent too long, is deleted if the user has another one in use.
    func mailboxes(of user: Int64) throws -> [Int64] {
        let rows = try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT * FROM chatMailbox WHERE userId = ? ORDER BY id"), arguments: [user])
        guard !rows.isEmpty else { return [try makeMailbox(of: user, session: nil)] }
        let oldest = now - Int64(configuration.deviceLifetime * 1_000)
        let isUsed: (Row) -> Bool = { $0["sessionId"] != nil && $0["lastSeenAt"] as Int64 >= oldest }
        guard rows.contains(where: isUsed) else { return rows.map { $0["id"] } }
        for row in rows where !isUsed(row) {
            try db.execute(sql: "DELETE FROM chatMailbox WHERE id = ?", arguments: [row["id"] as Int64])
        }
        return rows.filter(isUsed).map { $0["id"] }
    }

    private func makeMailbox(of user: Int64, session: Int64?) throws -> Int64 {
        try db.execute(
            sql: "INSERT INTO chatMailbox(userId, sessionId, lastSeenAt) VALUES (?, ?, ?)",
            arguments: [user, session, now])
        return db.lastInsertedRowID
    }

    /// Stores the push address of a device. A token belongs to one device, and a device to the user who signed in on it
    /// last.
    func setDevice(_ device: DeviceBody, of caller: ChatCaller) throws {
        try db.execute(
            sql: "DELETE FROM chatDevice WHERE pushToken = ? OR deviceId = ? OR sessionId = ?",
            arguments: [device.pushToken, device.deviceId, caller.session])
        try db.execute(
            sql: "INSERT INTO chatDevice VALUES (?, ?, ?)",
            arguments: [device.deviceId, caller.session, device.pushToken])
    }

    func removeDevice(_ id: String, of caller: ChatCaller) throws {
        try db.execute(
            sql: "DELETE FROM chatDevice WHERE deviceId = ? AND sessionId = ?", arguments: [id, caller.session])
    }
}
