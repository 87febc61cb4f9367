package import ChatWire
import GRDB

/// A change of one's own message that the server has not confirmed.
package struct PendingChange: Sendable, Hashable {
    /// Its place among the changes of this device.
    package var order: Int64
    package var requestId: String
    package var messageId: Int64
    /// The new content; `nil` to delete the message for both.
    package var content: String?
    package var failCount: Int
}

extension ChatTransaction {
    /// Edits one's own message, or deletes it for both: shown at once, confirmed by the server later.
    ///
    /// - Parameters:
    ///   - requestId: the idempotency key, new.
    ///   - content: the new content; `nil` deletes the message.
    /// - Returns: whether there was such a message; one of somebody else or one that is deleted is left alone.
    package func change(_ messageId: Int64, to content: String?, requestId: String) throws -> Bool {
        guard var message = try message(messageId), message.fromUserId == userId, !message.isDeleted else {
            return false
        }
        try db.execute(
            sql: """
                INSERT INTO MessageChanges(requestId, messageId, content, previousContent) VALUES (?, ?, ?, ?)
                """, arguments: [requestId, messageId, content, message.content])
        message.content = content ?? ""
        message.isDeleted = content == nil
        try replace(message)
        return true
    }

    /// The oldest changes that wait, those of one message in their order.
    package func pendingChanges(limit: Int) throws -> [PendingChange] {
        try Row.fetchAll(db, sql: "SELECT * FROM MessageChanges ORDER BY id LIMIT ?", arguments: [limit])
            .map(PendingChange.init(row:))
    }

    /// Forgets a change that the server has confirmed.
    package func confirm(_ change: PendingChange, as revision: MessageRevision) throws {
        let previous = try String.fetchOne(
            db, sql: "DELETE FROM MessageChanges WHERE requestId = ? RETURNING previousContent",
            arguments: [change.requestId])
        changes.append(.confirmations)
        if let previous { try keepEdit(of: change.messageId, from: previous, with: revision) }
        guard var message = try message(change.messageId), message.revision < revision.revision else { return }
        message.revision = revision.revision
        try replace(message)
    }

    /// Takes a change back that the server refused; later ones of the same message stay.
    package func rollBack(_ change: PendingChange) throws {
        guard
            let row = try Row.fetchOne(
                db, sql: "DELETE FROM MessageChanges WHERE requestId = ? RETURNING id, previousContent",
                arguments: [change.requestId])
        else { return }
        if let contactId = try message(change.messageId)?.contactId(for: userId) {
            changes.append(.changeRefused(contactId: contactId))
        }
        let previous: String = row["previousContent"]
        let order: Int64 = row["id"]
        // The next change then stands on what this one stood on.
        let later = try Row.fetchOne(
            db,
            sql: "SELECT id FROM MessageChanges WHERE messageId = ? AND id > ? ORDER BY id LIMIT 1",
            arguments: [change.messageId, order])
        if let later {
            let laterOrder: Int64 = later["id"]
            return try db.execute(
                sql: "UPDATE MessageChanges SET previousContent = ? WHERE id = ?", arguments: [previous, laterOrder])
        }
        guard var message = try message(change.messageId) else { return }
        message.content = previous
        message.isDeleted = false
        try replace(message)
    }
}

extension PendingChange {
    init(row: Row) {
        self.init(
            order: row["id"], requestId: row["requestId"], messageId: row["messageId"], content: row["content"],
            failCount: row["failCount"])
    }
}

extension ChatTransaction {
    /// Stores that an attempt failed, and when the next one is due, in seconds since 1970.
    package func noteChangeFailure(_ changes: [PendingChange], failCount: Int, notBefore: Double) throws {
        for change in changes {
            try db.execute(
                sql: """
                    UPDATE MessageChanges SET failCount = ?, notBefore = ? WHERE requestId = ?
                    """, arguments: [failCount, notBefore, change.requestId])
        }
    }
}
