import GRDB

/// A receipt of this device for the server.
package struct PendingReceipt: Sendable, Hashable {
    package var messageId: Int64
    /// `delivered` or `read`.
    package var status: MessageStatus
    package var failCount: Int
}

extension ChatTransaction {
    /// Queues a receipt, replacing a lower one of the same message; a lower receipt than the queued one is ignored.
    func queueReceipt(_ messageId: Int64, _ status: MessageStatus) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO Receipts(messageId, status) VALUES (?, ?)
                ON CONFLICT(messageId) DO UPDATE SET status = excluded.status, failCount = 0
                    WHERE excluded.status > status
                """
        ).execute(arguments: [messageId, status.rawValue])
    }

    /// Marks a contact's messages as read, up to one of them, and queues the receipts.
    ///
    /// - Returns: the number of messages that were unread.
    @discardableResult
    package func markRead(from contactId: String, upTo messageId: Int64) throws -> Int {
        let unread = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM Messages WHERE contactId = ? AND messageId <= ? AND status < 2 AND isIncoming
                ORDER BY messageId
                """, arguments: [contactId, messageId]
        ).map(Message.init(row:))
        for var message in unread {
            message.status = .read
            try replace(message)
            try queueReceipt(message.messageId, .read)
        }
        return unread.count
    }

    /// Returns the oldest waiting receipts.
    package func pendingReceipts(limit: Int) throws -> [PendingReceipt] {
        try Row.fetchAll(db, sql: "SELECT * FROM Receipts ORDER BY messageId LIMIT ?", arguments: [limit]).map { row in
            PendingReceipt(
                messageId: row["messageId"], status: MessageStatus(rawValue: row["status"]) ?? .delivered,
                failCount: row["failCount"])
        }
    }

    /// Removes receipts that the server has; a receipt that was raised meanwhile stays.
    package func removeReceipts(_ receipts: [PendingReceipt]) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM Receipts WHERE messageId = ? AND status <= ?")
        for receipt in receipts { try statement.execute(arguments: [receipt.messageId, receipt.status.rawValue]) }
        changes.append(.confirmations)
    }
}

extension ChatTransaction {
    /// Stores the number of failures of receipts.
    package func noteReceiptFailure(_ receipts: [PendingReceipt], failCount: Int) throws {
        let statement = try db.cachedStatement(sql: "UPDATE Receipts SET failCount = ? WHERE messageId = ?")
        for receipt in receipts { try statement.execute(arguments: [failCount, receipt.messageId]) }
    }
}
