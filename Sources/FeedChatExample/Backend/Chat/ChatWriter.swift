import ChatWire
import Foundation
import GRDB

/// What one transaction of the relay does.
struct ChatWriter {
    let db: Database
    let now: Int64
    let configuration: ChatConfiguration
    private let database: BackendDatabase
    /// What is told after the commit, in order.
    private(set) var outgoing: [ChatRelay.Outgoing] = []

    init(_ db: Database, configuration: ChatConfiguration, database: BackendDatabase) {
        self.db = db
        self.configuration = configuration
        self.database = database
        now = ChatRelay.milliseconds(configuration.now())
    }

    // MARK: Messages

    /// Takes a message, or finds the one that the same request made.
    mutating func send(_ body: SendMessageBody, from caller: ChatCaller) throws -> SentMessage {
        guard (1...200).contains(body.requestId.utf8.count) else { throw BackendRefusal(400, "a requestId is missing") }
        guard (1...configuration.contentLimit).contains(body.content.utf8.count) else {
            throw BackendRefusal(413, "a message has 1 to \(configuration.contentLimit) bytes")
        }
        let user = caller.user
        let known = try Row.fetchOne(
            db, sql: "SELECT * FROM chatMessage WHERE fromUserId = ? AND requestId = ?",
            arguments: [user, body.requestId])
        if let known {
            return SentMessage(
                message: ChatMessage(
                    messageId: known["id"], fromUserId: "\(user)", toUserId: "\(known["toUserId"] as Int64)",
                    content: body.content, createdAt: known["createdAt"]),
                fromMessageRequestId: body.requestId)
        }
        guard let recipient = Int64(body.toUserId), recipient != user,
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM user WHERE id = ?)", arguments: [recipient])
                == true
        else { throw BackendRefusal(404, "there is no such recipient") }
        let id = database.makeID()
        try db.execute(
            sql: "INSERT INTO chatMessage(id, fromUserId, toUserId, requestId, createdAt) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, user, recipient, body.requestId, now])
        for (one, other) in [(user, recipient), (recipient, user)] {
            try db.execute(sql: "INSERT OR IGNORE INTO chatContact VALUES (?, ?)", arguments: [one, other])
        }
        let message = ChatMessage(
            messageId: id, fromUserId: "\(user)", toUserId: body.toUserId, content: body.content, createdAt: now)
        try tell(.newMessage(message), as: id, to: recipient, andOthersOf: caller)
        return SentMessage(message: message, fromMessageRequestId: body.requestId)
    }

    /// Changes one's own message, or deletes it for both where there is no content.
    mutating func change(
        _ id: Int64, requestId: String, content: String?, by caller: ChatCaller
    ) throws -> MessageRevision {
        let user = caller.user
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM chatMessage WHERE id = ? AND fromUserId = ?", arguments: [id, user])
        else { throw BackendRefusal(404, "there is no such message of yours") }
        if let known = try Row.fetchOne(
            db, sql: "SELECT revision, madeAt FROM chatChange WHERE fromUserId = ? AND requestId = ?",
            arguments: [user, requestId])
        {
            return MessageRevision(
                messageId: id, revision: known["revision"], content: content, changedAt: known["madeAt"])
        }
        guard row["isDeleted"] == false else { throw BackendRefusal(409, "the message is deleted") }
        if let content, !(1...configuration.contentLimit).contains(content.utf8.count) {
            throw BackendRefusal(413, "a message has 1 to \(configuration.contentLimit) bytes")
        }
        let revision = MessageRevision(messageId: id, revision: database.makeID(), content: content, changedAt: now)
        try db.execute(
            sql: "INSERT INTO chatChange VALUES (?, ?, ?, ?)", arguments: [user, requestId, revision.revision, now])
        if let content {
            try db.execute(
                sql: "UPDATE chatEvent SET content = ? WHERE messageId = ? AND kind = 'new_message'",
                arguments: [content, id])
        } else {
            try db.execute(sql: "UPDATE chatMessage SET isDeleted = 1 WHERE id = ?", arguments: [id])
            try db.execute(sql: "DELETE FROM chatEvent WHERE messageId = ? AND kind = 'new_message'", arguments: [id])
        }
        try tell(.messageChanged(revision), as: revision.revision, to: row["toUserId"], andOthersOf: caller)
        return revision
    }

    /// Forgets a message that still waits for a device, which has it or does not want it.
    mutating func dropWaiting(_ id: Int64, for caller: ChatCaller) throws {
        try db.execute(
            sql: "DELETE FROM chatEvent WHERE messageId = ? AND mailboxId = ? AND kind = 'new_message'",
            arguments: [id, try mailbox(of: caller)])
    }

    // MARK: Receipts

    /// Takes receipts of a device; what is unknown, somebody else's, or not further than is known tells nobody.
    mutating func take(_ receipts: [ChatReceipt], from caller: ChatCaller) throws {
        for receipt in receipts {
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT * FROM chatMessage WHERE id = ? AND toUserId = ?",
                    arguments: [receipt.messageId, caller.user])
            else { continue }
            try dropWaiting(receipt.messageId, for: caller)
            let status = receipt.type == .read ? 2 : 1
            guard row["status"] < status else { continue }
            try db.execute(
                sql: "UPDATE chatMessage SET status = ?, deliveredAt = coalesce(deliveredAt, ?) WHERE id = ?",
                arguments: [status, now, receipt.messageId])
            if receipt.type == .read {
                try tell(
                    .messageRead(messageId: receipt.messageId), as: database.makeID(), to: row["fromUserId"],
                    andOthersOf: caller)
            } else {
                try tell(
                    .messageDelivered(messageId: receipt.messageId), as: database.makeID(), to: row["fromUserId"])
            }
        }
        try purge()
    }

    private func purge() throws {
        let requestEnd = now - Int64(configuration.requestLifetime * 1_000)
        let receiptEnd = now - Int64(configuration.receiptLifetime * 1_000)
        try db.execute(
            sql: "DELETE FROM chatMessage WHERE deliveredAt < ? AND (status = 2 OR deliveredAt < ?)",
            arguments: [requestEnd, receiptEnd])
        try db.execute(sql: "DELETE FROM chatChange WHERE madeAt < ?", arguments: [receiptEnd])
    }

    // MARK: Events

    /// What is kept until the device says that it has it; anything else until it asks for what follows.
    static let isMessageOfSomebodyElse =
        "kind = 'new_message' AND recipientId = (SELECT userId FROM chatMailbox WHERE id = mailboxId)"

    /// What waits for a device after an event, which is acknowledged thereby.
    mutating func sync(_ caller: ChatCaller, after place: Int64, limit: Int) throws -> SyncPage {
        let mailbox = try mailbox(of: caller)
        try db.execute(
            sql: "DELETE FROM chatEvent WHERE mailboxId = ? AND id <= ? AND NOT (\(Self.isMessageOfSomebodyElse))",
            arguments: [mailbox, place])
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM chatEvent WHERE mailboxId = ? AND id > ? ORDER BY id LIMIT ?",
            arguments: [mailbox, place, limit + 1])
        let events = rows.prefix(limit).compactMap(Self.event)
        // Events that wait no more, such as a message that its sender deleted, leave holes: after the last page the
        // place is that of the last event there ever was.
        let last = rows.count > limit ? events.last?.id : try lastEvent(of: mailbox)
        return SyncPage(
            events: events, lastSyncedMessage: max(place, last ?? place), hasMore: rows.count > limit)
    }

    private func lastEvent(of mailbox: Int64) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT lastEvent FROM chatMailbox WHERE id = ?", arguments: [mailbox])
    }

    /// The last message of somebody else that waits in a mailbox, if it came after another.
    static func lastMessage(_ db: Database, in mailbox: Int64, after last: Int64) throws -> ChatMessage? {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT * FROM chatEvent WHERE mailboxId = ? AND id > ? AND \(isMessageOfSomebodyElse)
                ORDER BY id DESC LIMIT 1
                """, arguments: [mailbox, last])
        guard case .newMessage(let message)? = row.flatMap(event)?.content else { return nil }
        return message
    }

    /// Tells a socket where its device's events stand, after those that were committed before.
    mutating func tellPosition(of caller: ChatCaller, to socket: ChatSocket) throws {
        if let last = try lastEvent(of: try mailbox(of: caller)) { outgoing.append(.position(last, socket)) }
    }

    private static func event(_ row: Row) -> ChatEvent? {
        let messageId: Int64 = row["messageId"]
        let content: ChatEvent.Content
        switch row["kind"] as String {
        case "new_message":
            content = .newMessage(
                ChatMessage(
                    messageId: messageId, fromUserId: "\(row["senderId"] as Int64)",
                    toUserId: "\(row["recipientId"] as Int64)", content: row["content"] ?? "",
                    createdAt: row["createdAt"]))
        case "message_delivered": content = .messageDelivered(messageId: messageId)
        case "message_read": content = .messageRead(messageId: messageId)
        case "message_changed":
            content = .messageChanged(
                MessageRevision(
                    messageId: messageId, revision: row["id"], content: row["content"], changedAt: row["createdAt"]))
        default: return nil
        }
        return ChatEvent(id: row["id"], previous: row["previous"], content: content)
    }

    /// Puts an event into the mailboxes of a user, and into those of the caller's other devices.
    private mutating func tell(
        _ content: ChatEvent.Content, as id: Int64, to user: Int64, andOthersOf caller: ChatCaller? = nil
    ) throws {
        for mailbox in try mailboxes(of: user) { try put(content, as: id, of: user, into: mailbox, caller) }
        guard let caller else { return }
        let own = try mailbox(of: caller)
        for mailbox in try mailboxes(of: caller.user) where mailbox != own {
            try put(content, as: id, of: caller.user, into: mailbox, caller)
        }
    }

    private mutating func put(
        _ content: ChatEvent.Content, as id: Int64, of user: Int64, into mailbox: Int64, _ caller: ChatCaller?
    ) throws {
        let previous = try lastEvent(of: mailbox) ?? 0
        let event = ChatEvent(id: id, previous: previous, content: content)
        var (sender, recipient) = (caller?.user ?? 0, user)
        let messageId: Int64
        let text: String?
        switch content {
        case .newMessage(let message):
            (messageId, text) = (message.messageId, message.content)
            (sender, recipient) = (Int64(message.fromUserId) ?? sender, Int64(message.toUserId) ?? recipient)
        case .messageDelivered(let message), .messageRead(let message): (messageId, text) = (message, nil)
        case .messageChanged(let revision): (messageId, text) = (revision.messageId, revision.content)
        case .contactStatusUpdate, .position, .unknown: return
        }
        try db.cachedStatement(sql: "INSERT INTO chatEvent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(arguments: [
            mailbox, id, previous, event.type, messageId, sender, recipient, text, now,
        ])
        try db.cachedStatement(sql: "UPDATE chatMailbox SET lastEvent = ? WHERE id = ?").execute(
            arguments: [id, mailbox])
        outgoing.append(.event(event, user: user, mailbox: mailbox))
    }
}
