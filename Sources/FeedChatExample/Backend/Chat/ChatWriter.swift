import ChatWire
import Foundation
import GRDB

/// What one transaction of the relay does.
struct ChatWriter {
    let db: Database
    let now: Int64
    let configuration: ChatConfiguration
    private let database: BackendDatabase
    /// The greatest id that was given.
    private(set) var lastID: Int64
    private(set) var events: [ChatRelay.Committed] = []

    init(
        _ db: Database, now: Int64, configuration: ChatConfiguration, database: BackendDatabase, lastID: Int64
    ) {
        self.db = db
        self.now = now
        self.configuration = configuration
        self.database = database
        self.lastID = lastID
    }

    /// An id greater than all before, also where the clock has gone back since an earlier run.
    private mutating func makeID() -> Int64 {
        lastID = max(lastID + 1, database.makeID())
        return lastID
    }

    // MARK: Messages

    /// Takes a message, or finds the one that the same request made.
    mutating func send(_ body: SendMessageBody, from user: Int64) throws -> SentMessage {
        guard (1...200).contains(body.requestId.utf8.count) else { throw BackendRefusal(400, "a requestId is missing") }
        guard (1...configuration.contentLimit).contains(body.content.utf8.count) else {
            throw BackendRefusal(413, "a message has 1 to \(configuration.contentLimit) bytes")
        }
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
        let id = makeID()
        try db.execute(
            sql: "INSERT INTO chatMessage(id, fromUserId, toUserId, requestId, createdAt) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, user, recipient, body.requestId, now])
        for (one, other) in [(user, recipient), (recipient, user)] {
            try db.execute(sql: "INSERT OR IGNORE INTO chatContact VALUES (?, ?)", arguments: [one, other])
        }
        let message = ChatMessage(
            messageId: id, fromUserId: "\(user)", toUserId: body.toUserId, content: body.content, createdAt: now)
        try add(.newMessage(message), as: id, to: recipient, content: body.content, from: user)
        return SentMessage(message: message, fromMessageRequestId: body.requestId)
    }

    /// Changes one's own message, or deletes it for both where there is no content.
    mutating func change(_ id: Int64, requestId: String, content: String?, by user: Int64) throws -> MessageRevision {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM chatMessage WHERE id = ? AND fromUserId = ?", arguments: [id, user])
        else { throw BackendRefusal(404, "there is no such message of yours") }
        if let known = try Int64.fetchOne(
            db, sql: "SELECT revision FROM chatChange WHERE fromUserId = ? AND requestId = ?",
            arguments: [user, requestId])
        {
            return MessageRevision(messageId: id, revision: known, content: content)
        }
        guard row["isDeleted"] == false else { throw BackendRefusal(409, "the message is deleted") }
        if let content, !(1...configuration.contentLimit).contains(content.utf8.count) {
            throw BackendRefusal(413, "a message has 1 to \(configuration.contentLimit) bytes")
        }
        let revision = MessageRevision(messageId: id, revision: makeID(), content: content)
        try db.execute(
            sql: "INSERT INTO chatChange VALUES (?, ?, ?, ?)", arguments: [user, requestId, revision.revision, now])
        if let content {
            try db.execute(
                sql: "UPDATE chatEvent SET content = ? WHERE messageId = ? AND kind = 'new_message'",
                arguments: [content, id])
        } else {
            try db.execute(sql: "UPDATE chatMessage SET isDeleted = 1 WHERE id = ?", arguments: [id])
            try removeWaiting(id)
        }
        try add(
            .messageChanged(revision), as: revision.revision, to: row["toUserId"], content: content, from: user)
        return revision
    }

    /// Deletes a message that still waits for its recipient, who does not want it.
    func dropWaiting(_ id: Int64, for user: Int64) throws {
        try db.execute(
            sql: "DELETE FROM chatEvent WHERE messageId = ? AND userId = ? AND kind = 'new_message'",
            arguments: [id, user])
    }

    private func removeWaiting(_ id: Int64) throws {
        try db.execute(sql: "DELETE FROM chatEvent WHERE messageId = ? AND kind = 'new_message'", arguments: [id])
    }

    // MARK: Receipts

    /// Takes receipts; what is unknown, somebody else's, or not further than is known does nothing.
    mutating func take(_ receipts: [ChatReceipt], from user: Int64) throws {
        for receipt in receipts {
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT * FROM chatMessage WHERE id = ? AND toUserId = ?",
                    arguments: [receipt.messageId, user])
            else { continue }
            let status = receipt.type == .read ? 2 : 1
            guard row["status"] < status else { continue }
            try db.execute(
                sql: "UPDATE chatMessage SET status = ?, deliveredAt = coalesce(deliveredAt, ?) WHERE id = ?",
                arguments: [status, now, receipt.messageId])
            try removeWaiting(receipt.messageId)
            let content: ChatEvent.Content =
                status == 2
                ? .messageRead(messageId: receipt.messageId) : .messageDelivered(messageId: receipt.messageId)
            try add(content, as: makeID(), to: row["fromUserId"], content: nil, from: user)
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

    /// What waits for a user after an event, which is acknowledged thereby.
    func sync(_ user: Int64, after place: Int64, limit: Int) throws -> SyncPage {
        try db.execute(
            sql: "DELETE FROM chatEvent WHERE userId = ? AND id <= ? AND kind <> 'new_message'",
            arguments: [user, place])
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM chatEvent WHERE userId = ? AND id > ? ORDER BY id LIMIT ?",
            arguments: [user, place, limit + 1])
        let events = rows.prefix(limit).compactMap { Self.event($0, for: user) }
        // Events that wait no more, such as a message that its sender deleted, leave holes: after the last page the
        // place is that of the last event there ever was.
        let last = rows.count > limit ? events.last?.id : try lastEvent(of: user)
        return SyncPage(
            events: events, lastSyncedMessage: max(place, last ?? place), hasMore: rows.count > limit)
    }

    func lastEvent(of user: Int64) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT lastEvent FROM chatUser WHERE userId = ?", arguments: [user])
    }

    private static func event(_ row: Row, for user: Int64) -> ChatEvent? {
        let messageId: Int64 = row["messageId"]
        let content: ChatEvent.Content
        switch row["kind"] as String {
        case "new_message":
            content = .newMessage(
                ChatMessage(
                    messageId: messageId, fromUserId: "\(row["senderId"] as Int64)", toUserId: "\(user)",
                    content: row["content"] ?? "", createdAt: row["createdAt"]))
        case "message_delivered": content = .messageDelivered(messageId: messageId)
        case "message_read": content = .messageRead(messageId: messageId)
        case "message_changed":
            content = .messageChanged(
                MessageRevision(messageId: messageId, revision: row["id"], content: row["content"]))
        default: return nil
        }
        return ChatEvent(id: row["id"], previous: row["previous"], content: content)
    }

    private mutating func add(
        _ content: ChatEvent.Content, as id: Int64, to user: Int64, content text: String?, from sender: Int64
    ) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO chatUser(userId) VALUES (?)", arguments: [user])
        let previous = try lastEvent(of: user) ?? 0
        let event = ChatEvent(id: id, previous: previous, content: content)
        let messageId: Int64
        switch content {
        case .newMessage(let message): messageId = message.messageId
        case .messageDelivered(let message), .messageRead(let message): messageId = message
        case .messageChanged(let revision): messageId = revision.messageId
        case .contactStatusUpdate, .position, .unknown: return
        }
        try db.execute(
            sql: "INSERT INTO chatEvent VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [id, user, previous, event.type, messageId, sender, text, now])
        try db.execute(sql: "UPDATE chatUser SET lastEvent = ? WHERE userId = ?", arguments: [id, user])
        events.append(ChatRelay.Committed(userId: user, event: event))
    }
}
