import GRDB

/// The space of a conversation on this device.
package struct ConversationUsage: Sendable, Hashable, Identifiable {
    package var contact: User
    package var messageCount: Int
    /// The bytes of the texts, without indexes.
    package var bytes: Int64

    package var id: String { contact.id }
}

extension ChatTransaction {
    /// Returns the space of each conversation, the largest first. Complexity: O(messages).
    package func usage() throws -> [ConversationUsage] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT Users.*, count(*) AS messageCount, sum(length(CAST(content AS BLOB))) AS bytes
                FROM Messages JOIN Users ON Users.id = contactId GROUP BY contactId ORDER BY bytes DESC, Users.id
                """
        ).map { row in
            ConversationUsage(contact: User(row: row), messageCount: row["messageCount"], bytes: row["bytes"])
        }
    }

    /// Deletes messages of a conversation on this device alone, at the user's request.
    ///
    /// Queued receipts and changes of them are still sent.
    ///
    /// - Parameters:
    ///   - contactId: the conversation.
    ///   - olderThan: the oldest message to keep; `nil` deletes all, with drafts and failed messages. Messages that
    ///     wait to be sent stay.
    /// - Returns: the number of deleted messages.
    @discardableResult
    package func deleteMessages(with contactId: String, olderThan: Int64?) throws -> Int {
        // A deleted message is reported as read, because it cannot be read later.
        try markRead(from: contactId, upTo: olderThan.map { $0 &- 1 } ?? .max)
        let ids = try Int64.fetchAll(
            db, sql: "DELETE FROM Messages WHERE contactId = ? AND messageId < ? RETURNING messageId",
            arguments: [contactId, olderThan ?? .max])
        if olderThan == nil {
            try db.execute(
                sql: "DELETE FROM MessageRequests WHERE toUserId = ? AND status IN (0, 3)", arguments: [contactId])
            noteRequests(contactId)
        }
        if !ids.isEmpty { changes.append(.removed(messageIds: ids, contactId: contactId)) }
        return ids.count
    }

    /// Returns the oldest message of a conversation that the server accepted since a time, in milliseconds since 1970.
    package func firstMessage(with contactId: String, since time: Int64) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT min(messageId) FROM Messages WHERE contactId = ? AND createdAt >= ?",
            arguments: [contactId, time])
    }

    /// Deletes one message on this device alone.
    ///
    /// - Returns: whether it existed.
    package func deleteForMe(_ messageId: Int64) throws -> Bool {
        guard let message = try message(messageId) else { return false }
        try db.execute(sql: "DELETE FROM Messages WHERE messageId = ?", arguments: [messageId])
        changes.append(.removed(messageIds: [messageId], contactId: message.contactId(for: userId)))
        return true
    }
}
