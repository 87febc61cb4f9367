import ChatWire
import Foundation
import GRDB

/// The devices of a user: one session each, with a mailbox and an optional push token.
extension ChatWriter {
    /// Returns the mailbox of the caller's device.
    ///
    /// A device that was signed out and signs in again gets its own. A new one takes over the mailbox that has no
    /// device, or gets a copy of what waits for one that is signed out; else an empty one.
    func mailbox(of caller: ChatCaller) throws -> Int64 {
        let known = try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT id FROM chatMailbox WHERE sessionId = ?"), arguments: [caller.session])
        if let known {
            // Once a day is precise enough for limits in days, and saves a write with each call.
            try db.cachedStatement(sql: "UPDATE chatMailbox SET lastSeenAt = ? WHERE id = ? AND lastSeenAt < ?")
                .execute(arguments: [now, known, now - 86_400_000])
            return known
        }
        let device = try String.fetchOne(
            db, sql: "SELECT device FROM session WHERE id = ?", arguments: [caller.session])
        let waiting = try Row.fetchOne(
            db,
            sql: """
                SELECT id, device FROM chatMailbox WHERE userId = ? AND sessionId IS NULL
                ORDER BY device IS NOT ?, id LIMIT 1
                """, arguments: [caller.user, device])
        guard let waiting, waiting["device"] == nil || waiting["device"] == device else {
            let new = try makeMailbox(of: caller.user, session: caller.session, device: device)
            if let waiting { try copyEvents(from: waiting["id"], to: new) }
            return new
        }
        try db.execute(
            sql: "UPDATE chatMailbox SET sessionId = ?, device = ?, lastSeenAt = ? WHERE id = ?",
            arguments: [caller.session, device, now, waiting["id"] as Int64])
        return waiting["id"]
    }

    private func copyEvents(from old: Int64, to new: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO chatEvent SELECT ?, id, previous, kind, messageId, senderId, recipientId, content, createdAt,
                attachment, mentions FROM chatEvent WHERE mailboxId = ?
                """, arguments: [new, old])
        try db.execute(
            sql: "UPDATE chatMailbox SET lastEvent = (SELECT lastEvent FROM chatMailbox WHERE id = ?) WHERE id = ?",
            arguments: [old, new])
    }

    /// Returns the mailboxes for the events of a user.
    ///
    /// A mailbox that has no device, or whose device was absent too long, is deleted if the user has another one in use.
    /// One whose device is signed out is kept as long, because it may sign in again.
    func mailboxes(of user: Int64) throws -> [Int64] {
        let rows = try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT * FROM chatMailbox WHERE userId = ? ORDER BY id"), arguments: [user])
        guard !rows.isEmpty else { return [try makeMailbox(of: user, session: nil, device: nil)] }
        let oldest = now - Int64(configuration.deviceLifetime * 1_000)
        let isUsed: (Row) -> Bool = {
            ($0["sessionId"] != nil || $0["device"] != nil) && $0["lastSeenAt"] as Int64 >= oldest
        }
        guard rows.contains(where: isUsed) else { return rows.map { $0["id"] } }
        for row in rows where !isUsed(row) {
            try db.execute(sql: "DELETE FROM chatMailbox WHERE id = ?", arguments: [row["id"] as Int64])
        }
        return rows.filter(isUsed).map { $0["id"] }
    }

    private func makeMailbox(of user: Int64, session: Int64?, device: String?) throws -> Int64 {
        try db.execute(
            sql: "INSERT INTO chatMailbox(userId, sessionId, device, lastSeenAt) VALUES (?, ?, ?, ?)",
            arguments: [user, session, device, now])
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
