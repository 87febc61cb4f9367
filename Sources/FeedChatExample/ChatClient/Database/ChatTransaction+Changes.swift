package import ChatWire
package import GRDB

/// A change of the user's message that the server has not confirmed.
package struct PendingChange: Sendable, Hashable {
    /// Its position among the changes of this device.
    package var order: Int64
    package var requestId: String
    package var messageId: Int64
    /// The new content; `nil` to delete the message for both.
    package var content: String?
    package var failCount: Int
}

extension ChatTransaction {
    /// Edits the user's message, or deletes it for both sides: shown at once, confirmed by the server later.
    ///
    /// - Parameters:
    ///   - requestId: the idempotency key, new.
    ///   - content: the new content; `nil` deletes the message.
    /// - Returns: whether the message could be changed: it exists, is not deleted, and is the user's own, or an admin
    ///   of its group deletes it.
    package func change(_ messageId: Int64, to content: String?, requestId: String) throws -> Bool {
        guard var message = try message(messageId), !message.isDeleted,
            try message.fromUserId == userId
                || content == nil && group(message.toUserId)?.role(of: userId)?.allows(.deleteMessage) == true
        else { return false }
        try db.execute(
            sql: """
                INSERT INTO MessageChanges(requestId, messageId, content, previousContent) VALUES (?, ?, ?, ?)
                """, arguments: [requestId, messageId, content, message.content])
        message.content = content ?? ""
        message.isDeleted = content == nil
        try replace(message)
        return true
    }

    /// Removes a change that the server has confirmed, and shows the server's content.
    package func confirm(_ change: PendingChange, as revision: MessageRevision) throws {
        let row = try Row.fetchOne(
            db, sql: "DELETE FROM MessageChanges WHERE requestId = ? RETURNING previousContent",
            arguments: [change.requestId])
        changes.append(.confirmations)
        // If the change is missing, the message was deleted for all.
        guard let row, var message = try message(change.messageId) else { return }
        guard message.revision < revision.revision else {
            // Another device made a newer change.
            return try show(row["previousContent"], of: message)
        }
        try keepEdit(of: change.messageId, from: row["previousContent"], with: revision)
        message.revision = revision.revision
        guard let content = revision.content else { return try showDeletion(of: message) }
        try show(content, of: message)
    }

    /// Applies a newer change of another device, below the waiting changes of this device.
    func take(_ revision: MessageRevision, of message: Message) throws {
        var message = message
        let base = try String.fetchOne(
            db, sql: "SELECT previousContent FROM MessageChanges WHERE messageId = ? ORDER BY id LIMIT 1",
            arguments: [message.messageId])
        if base != nil || !message.isDeleted {
            try keepEdit(of: message.messageId, from: base ?? message.content, with: revision)
        }
        message.revision = revision.revision
        guard let content = revision.content else {
            try db.execute(sql: "DELETE FROM MessageChanges WHERE messageId = ?", arguments: [message.messageId])
            return try showDeletion(of: message)
        }
        // A message deleted for all stays deleted.
        guard base != nil || !message.isDeleted else { return try replace(message) }
        try show(content, of: message)
    }

    /// Shows the server's content, or the waiting change of this device instead.
    private func show(_ content: String, of message: Message) throws {
        var message = message
        try db.execute(
            sql: """
                UPDATE MessageChanges SET previousContent = ?1
                WHERE id = (SELECT min(id) FROM MessageChanges WHERE messageId = ?2)
                """, arguments: [content, message.messageId])
        if db.changesCount == 0 { (message.content, message.isDeleted) = (content, false) }
        try replace(message)
    }

    private func showDeletion(of message: Message) throws {
        var message = message
        (message.content, message.isDeleted, message.attachment) = ("", true, nil)
        try replace(message)
    }

    /// Rolls back a change that the server refused; later ones of the same message stay. The change of a message that
    /// was deleted for all no longer exists.
    package func rollBack(_ change: PendingChange) throws {
        guard
            let row = try Row.fetchOne(
                db, sql: "DELETE FROM MessageChanges WHERE requestId = ? RETURNING previousContent",
                arguments: [change.requestId])
        else { return }
        if let contactId = try message(change.messageId)?.contactId(for: userId) {
            changes.append(.changeRefused(contactId: contactId))
        }
        // The next change is then based on the content before this one.
        if let message = try message(change.messageId) { try show(row["previousContent"], of: message) }
    }
}

extension PendingChange {
    package init(row: Row) {
        self.init(
            order: row["id"], requestId: row["requestId"], messageId: row["messageId"], content: row["content"],
            failCount: row["failCount"])
    }
}

extension ChatTransaction {
    /// Stores a failed attempt, and the time of the next one in seconds since 1970.
    package func noteChangeFailure(_ changes: [PendingChange], failCount: Int, notBefore: Double) throws {
        for change in changes {
            try db.execute(
                sql: """
                    UPDATE MessageChanges SET failCount = ?, notBefore = ? WHERE requestId = ?
                    """, arguments: [failCount, notBefore, change.requestId])
        }
    }
}
