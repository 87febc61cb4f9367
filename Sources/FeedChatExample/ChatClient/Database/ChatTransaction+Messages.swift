package import ChatWire
import GRDB

extension ChatTransaction {
    package func message(_ id: Int64) throws -> Message? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM Messages WHERE messageId = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(Message.init(row:))
    }

    /// Adds a message, or merges it into the one that is there, at whatever place its id gives it.
    package func save(_ message: Message) throws {
        let contactId = message.contactId(for: userId)
        if let known = try self.message(message.messageId) {
            let merged = known.merged(with: message)
            if merged != known { try replace(merged) }
            return
        }
        try ensureUser(contactId)
        try db.cachedStatement(
            sql: """
                INSERT INTO Messages(messageId, contactId, fromUserId, toUserId, content, status, createdAt, requestId,
                    revision, isDeleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            message.messageId, contactId, message.fromUserId, message.toUserId, message.content,
            message.status.rawValue, message.createdAt, message.requestId, message.revision, message.isDeleted,
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

    /// Writes another state of a message that is there.
    func replace(_ message: Message) throws {
        try db.cachedStatement(
            sql: """
                UPDATE Messages SET content = ?, status = ?, requestId = ?, revision = ?, isDeleted = ?
                WHERE messageId = ?
                """
        ).execute(arguments: [
            message.content, message.status.rawValue, message.requestId, message.revision, message.isDeleted,
            message.messageId,
        ])
        changes.append(.changed(message, contactId: message.contactId(for: userId)))
    }

    /// Takes a new message of somebody else, and queues the receipt that tells the server to keep it no longer; or one's
    /// own from another device.
    package func receive(_ wire: ChatMessage) throws {
        if wire.fromUserId == userId {
            return try save(
                Message(
                    messageId: wire.messageId, fromUserId: wire.fromUserId, toUserId: wire.toUserId,
                    content: wire.content, createdAt: wire.createdAt))
        }
        guard wire.toUserId == userId else { return }
        try save(
            Message(
                messageId: wire.messageId, fromUserId: wire.fromUserId, toUserId: wire.toUserId, content: wire.content,
                status: .delivered, createdAt: wire.createdAt))
        try queueReceipt(wire.messageId, .delivered)
    }

    /// Moves the status of one's own message forward, never back.
    ///
    /// The receipt may come before the answer to the request: it is kept until the message has its row.
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

    /// Takes the receipt that came before its message, if there is one.
    func takeEarlyReceipt(of messageId: Int64) throws -> MessageStatus? {
        let raw = try Int.fetchOne(
            db, sql: "DELETE FROM EarlyReceipts WHERE messageId = ? RETURNING status", arguments: [messageId])
        return raw.flatMap(MessageStatus.init(rawValue:))
    }

    /// Takes a change that somebody made to a message; an older one than is shown does nothing, and one of a message
    /// that was deleted on this device neither.
    package func apply(_ revision: MessageRevision) throws {
        guard var message = try message(revision.messageId), message.revision < revision.revision else { return }
        if !message.isDeleted { try keepEdit(of: message.messageId, from: message.content, with: revision) }
        message.revision = revision.revision
        message.content = revision.content ?? ""
        message.isDeleted = message.isDeleted || revision.content == nil
        if message.isDeleted { message.content = "" }
        try replace(message)
    }
}

extension Message {
    init(row: Row) {
        self.init(
            messageId: row["messageId"], fromUserId: row["fromUserId"], toUserId: row["toUserId"],
            content: row["content"], status: MessageStatus(rawValue: row["status"]) ?? .synced,
            createdAt: row["createdAt"], requestId: row["requestId"], revision: row["revision"],
            isDeleted: row["isDeleted"])
    }
}
