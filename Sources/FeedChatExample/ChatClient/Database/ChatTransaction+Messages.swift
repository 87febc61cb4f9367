package import ChatWire
import Foundation
import GRDB

extension ChatTransaction {
    package func message(_ id: Int64) throws -> Message? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM Messages WHERE messageId = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(Message.init(row:))
    }

    /// Adds a message, or merges it into the stored one, at the position of its id.
    package func save(_ message: Message) throws {
        let contactId = message.contactId(for: userId)
        if let known = try self.message(message.messageId) {
            let merged = known.merged(with: message)
            if merged != known { try replace(merged) }
            return
        }
        try ensureUser(contactId)
        try ensureUser(message.fromUserId)
        try db.cachedStatement(
            sql: """
                INSERT INTO Messages(messageId, contactId, fromUserId, toUserId, content, status, createdAt, requestId,
                    revision, isDeleted, attachment, mentions, isIncoming) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            message.messageId, contactId, message.fromUserId, message.toUserId, message.content,
            message.status.rawValue, message.createdAt, message.requestId, message.revision, message.isDeleted,
            try JSONColumn.text(message.attachment),
            message.mentions.isEmpty ? nil : try JSONColumn.text(message.mentions), message.fromUserId != userId,
        ])
        let id = message.messageId
        let before = try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT max(messageId) FROM Messages WHERE contactId = ? AND messageId < ?"),
            arguments: [contactId, id])
        let hasNewer = try Bool.fetchOne(
            try db.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM Messages WHERE contactId = ? AND messageId > ?)"),
            arguments: [contactId, id])
        changes.append(
            .inserted(message, contactId: contactId, after: before, isNewest: hasNewer != true))
    }

    /// Writes another state of a stored message.
    func replace(_ message: Message) throws {
        try db.cachedStatement(
            sql: """
                UPDATE Messages SET content = ?, status = ?, requestId = ?, revision = ?, isDeleted = ?, attachment = ?
                WHERE messageId = ?
                """
        ).execute(arguments: [
            message.content, message.status.rawValue, message.requestId, message.revision, message.isDeleted,
            try JSONColumn.text(message.attachment), message.messageId,
        ])
        changes.append(.changed(message, contactId: message.contactId(for: userId)))
    }

    /// Stores a new message of another user, to the user or to a group, and queues the receipt after which the server
    /// drops it; or a message of the user from another device.
    package func receive(_ wire: ChatMessage) throws {
        if wire.fromUserId == userId {
            return try save(
                Message(
                    messageId: wire.messageId, fromUserId: wire.fromUserId, toUserId: wire.toUserId,
                    content: wire.content, createdAt: wire.createdAt, attachment: wire.attachment,
                    mentions: wire.mentions ?? []))
        }
        try save(
            Message(
                messageId: wire.messageId, fromUserId: wire.fromUserId, toUserId: wire.toUserId, content: wire.content,
                status: .delivered, createdAt: wire.createdAt, attachment: wire.attachment,
                mentions: wire.mentions ?? []))
        try queueReceipt(wire.messageId, .delivered)
    }

    /// Advances the status of the user's message, never back.
    ///
    /// The receipt may arrive before the answer to the request. It is then stored until the message has its row.
    package func raiseStatus(of messageId: Int64, to status: MessageStatus) throws {
        if var message = try message(messageId) {
            guard message.status < status else { return }
            message.status = status
            return try replace(message)
        }
        try db.execute(
            sql: """
                INSERT INTO EarlyReceipts(messageId, status)
                SELECT ?, ? WHERE EXISTS (SELECT 1 FROM MessageRequests WHERE lastSentAt IS NOT NULL)
                ON CONFLICT(messageId) DO UPDATE SET status = max(status, excluded.status)
                """, arguments: [messageId, status.rawValue])
    }

    /// Returns and removes the receipt that arrived before its message, if there is one.
    func takeEarlyReceipt(of messageId: Int64) throws -> MessageStatus? {
        let raw = try Int.fetchOne(
            db, sql: "DELETE FROM EarlyReceipts WHERE messageId = ? RETURNING status", arguments: [messageId])
        return raw.flatMap(MessageStatus.init(rawValue:))
    }

    /// Applies a change of a message. It does nothing if a newer one is shown, or if the message was deleted on this
    /// device.
    ///
    /// It may arrive before the answer to the request. It is then stored until the message has its row.
    package func apply(_ revision: MessageRevision) throws {
        if let message = try message(revision.messageId) {
            if message.revision < revision.revision { try take(revision, of: message) }
            return
        }
        try db.execute(
            sql: """
                INSERT INTO EarlyRevisions(messageId, revision, content, changedAt)
                SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM MessageRequests WHERE lastSentAt IS NOT NULL)
                ON CONFLICT(messageId) DO UPDATE
                    SET revision = excluded.revision, content = excluded.content, changedAt = excluded.changedAt
                    WHERE excluded.revision > revision
                """, arguments: [revision.messageId, revision.revision, revision.content, revision.changedAt])
    }

    /// Applies the change that arrived before its message, if there is one.
    func takeEarlyRevision(of messageId: Int64) throws {
        let row = try Row.fetchOne(
            db, sql: "DELETE FROM EarlyRevisions WHERE messageId = ? RETURNING *", arguments: [messageId])
        guard let row else { return }
        try apply(
            MessageRevision(
                messageId: messageId, revision: row["revision"], content: row["content"], changedAt: row["changedAt"])
        )
    }
}

extension Message {
    init(row: Row) {
        self.init(
            messageId: row["messageId"], fromUserId: row["fromUserId"], toUserId: row["toUserId"],
            content: row["content"], status: MessageStatus(rawValue: row["status"]) ?? .synced,
            createdAt: row["createdAt"], requestId: row["requestId"], revision: row["revision"],
            isDeleted: row["isDeleted"], attachment: JSONColumn.value(row["attachment"]),
            mentions: JSONColumn.value(row["mentions"]) ?? [])
    }
}

/// A value encoded as JSON in a text column.
enum JSONColumn {
    static func text(_ value: (some Encodable)?) throws -> String? {
        try value.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    }

    static func value<Value: Decodable>(_ text: String?) -> Value? {
        // A value that cannot be decoded, such as one of a later version, counts as missing.
        text.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }
}
