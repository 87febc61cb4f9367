import ChatWire
import Foundation
import GRDB

/// The operations of one transaction of the relay.
struct ChatWriter {
    let db: Database
    let now: Int64
    let configuration: ChatConfiguration
    private let database: BackendDatabase
    /// The data to send after the commit, in order.
    private(set) var outgoing: [ChatRelay.Outgoing] = []

    init(_ db: Database, configuration: ChatConfiguration, database: BackendDatabase) {
        self.db = db
        self.configuration = configuration
        self.database = database
        now = ChatRelay.milliseconds(configuration.now())
    }

    func makeID() -> Int64 { database.makeID() }

    // MARK: Messages

    /// Adds a message, or finds the one that the same request created.
    mutating func send(_ body: SendMessageBody, from caller: ChatCaller) throws -> SentMessage {
        guard (1...200).contains(body.requestId.utf8.count) else { throw BackendRefusal(400, "a requestId is missing") }
        guard
            (body.attachment == nil ? 1...configuration.contentLimit : 0...configuration.contentLimit).contains(
                body.content.utf8.count)
        else { throw BackendRefusal(413, "a message has 1 to \(configuration.contentLimit) bytes") }
        let user = caller.user
        let attachment = try body.attachment.map { try checked($0, from: user) }
        let known = try Row.fetchOne(
            db, sql: "SELECT * FROM chatMessage WHERE fromUserId = ? AND requestId = ?",
            arguments: [user, body.requestId])
        if let known {
            return SentMessage(
                message: ChatMessage(
                    messageId: known["id"], fromUserId: "\(user)", toUserId: "\(known["toUserId"] as Int64)",
                    content: body.content, createdAt: known["createdAt"], attachment: attachment,
                    mentions: try mentions(in: body, to: known["toUserId"], from: user),
                    isDeleted: known["isDeleted"] ? true : nil),
                fromMessageRequestId: body.requestId)
        }
        guard let recipient = Int64(body.toUserId), recipient != user else {
            throw BackendRefusal(404, "there is no such recipient")
        }
        let isMember = try role(of: user, in: recipient) != nil
        guard
            try isMember
                || Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM user WHERE id = ?)", arguments: [recipient])
                    == true
        else { throw BackendRefusal(404, "there is no such recipient") }
        let recipients = try recipients(of: recipient, from: user)
        let mentions = try mentions(in: body, to: recipient, from: user)
        let id = database.makeID()
        try db.execute(
            sql: """
                INSERT INTO chatMessage(id, fromUserId, toUserId, requestId, createdAt, deliveredAt)
                VALUES (?, ?, ?, ?, ?, ?)
                """, arguments: [id, user, recipient, body.requestId, now, recipients.isEmpty ? now : nil])
        for member in recipients where isMember {
            try db.execute(
                sql: "INSERT INTO chatGroupReceipt(messageId, userId) VALUES (?, ?)", arguments: [id, member])
        }
        for (one, other) in [(user, recipient), (recipient, user)] where !isMember {
            try db.execute(sql: "INSERT OR IGNORE INTO chatContact VALUES (?, ?)", arguments: [one, other])
        }
        let message = ChatMessage(
            messageId: id, fromUserId: "\(user)", toUserId: body.toUserId, content: body.content, createdAt: now,
            attachment: attachment, mentions: mentions)
        try tell(.newMessage(message), as: id, to: recipients, andOthersOf: caller)
        return SentMessage(message: message, fromMessageRequestId: body.requestId)
    }

    /// Returns the members that a message mentions, only other members of a group.
    private func mentions(in body: SendMessageBody, to recipient: Int64, from user: Int64) throws -> [String]? {
        guard let mentions = body.mentions, try isGroup(recipient) else { return nil }
        let members = try recipients(of: recipient, from: user)
        return mentions.filter { Int64($0).map(members.contains) == true }
    }

    /// Changes the caller's message, or deletes it for both if there is no content. A former member of a group may only
    /// delete.
    mutating func change(
        _ id: Int64, requestId: String, content: String?, by caller: ChatCaller
    ) throws -> MessageRevision {
        let user = caller.user
        // First, because a repeated change was carried out, whatever the caller may do by now.
        if let known = try Row.fetchOne(
            db, sql: "SELECT revision, madeAt FROM chatChange WHERE fromUserId = ? AND requestId = ?",
            arguments: [user, requestId])
        {
            return MessageRevision(
                messageId: id, revision: known["revision"], content: content, changedAt: known["madeAt"])
        }
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM chatMessage WHERE id = ?", arguments: [id]),
            try mayChange(row, isDeletion: content == nil, user)
        else { throw BackendRefusal(404, "there is no such message of yours") }
        guard row["isDeleted"] == false else {
            guard content == nil else { throw BackendRefusal(409, "the message is deleted") }
            // Another device was first; the outcome is the one that both want.
            return MessageRevision(messageId: id, revision: database.makeID(), content: nil, changedAt: now)
        }
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
        try tell(
            .messageChanged(revision), as: revision.revision, to: try recipients(of: row["toUserId"], from: user),
            andOthersOf: caller)
        return revision
    }

    private func mayChange(_ row: Row, isDeletion: Bool, _ user: Int64) throws -> Bool {
        let isOwn = row["fromUserId"] == user
        guard try isGroup(row["toUserId"]) else { return isOwn }
        let role = try role(of: user, in: row["toUserId"])
        return isDeletion ? isOwn || role?.allows(.deleteMessage) == true : isOwn && role != nil
    }

    /// Removes a message that still waits for a device, which has it or does not want it.
    mutating func dropWaiting(_ id: Int64, for caller: ChatCaller) throws {
        try db.execute(
            sql: "DELETE FROM chatEvent WHERE messageId = ? AND mailboxId = ? AND kind = 'new_message'",
            arguments: [id, try mailbox(of: caller)])
    }

    // MARK: Receipts

    /// Handles receipts of a device. Unknown ones, those of others, and those without progress are not reported.
    mutating func take(_ receipts: [ChatReceipt], from caller: ChatCaller) throws {
        for receipt in receipts {
            // Also for former members of a group: the device has the message.
            try dropWaiting(receipt.messageId, for: caller)
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT * FROM chatMessage WHERE id = ?1 AND (toUserId = ?2 OR EXISTS (
                            SELECT 1 FROM chatGroupReceipt WHERE messageId = ?1 AND userId = ?2))
                        """, arguments: [receipt.messageId, caller.user])
            else { continue }
            var status = receipt.type == .read ? 2 : 1
            if row["toUserId"] != caller.user {
                status = try takeOfMember(receipt.messageId, status, from: caller)
            }
            let isOfGroup = row["toUserId"] != caller.user
            try raise(row, to: status, andOthersOf: status == 2 && !isOfGroup ? caller : nil)
        }
        try purge()
    }

    /// Updates the status of a message, and reports it to the sender if it is an advance.
    mutating func raise(_ row: Row, to status: Int, andOthersOf caller: ChatCaller? = nil) throws {
        guard row["status"] < status else { return }
        let (id, sender): (Int64, Int64) = (row["id"], row["fromUserId"])
        try db.execute(
            sql: "UPDATE chatMessage SET status = ?, deliveredAt = coalesce(deliveredAt, ?) WHERE id = ?",
            arguments: [status, now, id])
        let told: ChatEvent.Content = status == 2 ? .messageRead(messageId: id) : .messageDelivered(messageId: id)
        try tell(told, as: database.makeID(), to: [sender], andOthersOf: caller)
    }

    /// Updates the status of a group message with one member, and reports a read to the member's other devices.
    ///
    /// - Returns: the status that all members have.
    private mutating func takeOfMember(_ id: Int64, _ status: Int, from caller: ChatCaller) throws -> Int {
        try db.execute(
            sql: "UPDATE chatGroupReceipt SET status = ? WHERE messageId = ? AND userId = ? AND status < ?",
            arguments: [status, id, caller.user, status])
        if status == 2, db.changesCount > 0 {
            try tell(.messageRead(messageId: id), as: database.makeID(), to: [], andOthersOf: caller)
        }
        return try Int.fetchOne(
            db, sql: "SELECT min(status) FROM chatGroupReceipt WHERE messageId = ?", arguments: [id]) ?? 0
    }

    private func purge() throws {
        let end = now - Int64(configuration.messageLifetime * 1_000)
        try db.execute(sql: "DELETE FROM chatMessage WHERE deliveredAt < ?", arguments: [end])
        try db.execute(sql: "DELETE FROM chatChange WHERE madeAt < ?", arguments: [end])
    }

    // MARK: Events

    /// The condition of events that are kept until the device confirms them; others are kept until it requests later
    /// ones.
    static let isMessageOfSomebodyElse =
        "kind = 'new_message' AND senderId <> (SELECT userId FROM chatMailbox WHERE id = mailboxId)"

    /// Returns the events that wait for a device after an event, which this confirms.
    mutating func sync(_ caller: ChatCaller, after place: Int64, limit: Int) throws -> SyncPage {
        let mailbox = try mailbox(of: caller)
        try db.execute(
            sql: "DELETE FROM chatEvent WHERE mailboxId = ? AND id <= ? AND NOT (\(Self.isMessageOfSomebodyElse))",
            arguments: [mailbox, place])
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM chatEvent WHERE mailboxId = ? AND id > ? ORDER BY id LIMIT ?",
            arguments: [mailbox, place, limit + 1])
        let events = rows.prefix(limit).compactMap(Self.event)
        // Removed events, such as a message that its sender deleted, leave holes: after the last page the position is
        // that of the last event ever.
        let last = rows.count > limit ? events.last?.id : try lastEvent(of: mailbox)
        return SyncPage(
            events: events, lastSyncedMessage: max(place, last ?? place), hasMore: rows.count > limit)
    }

    private func lastEvent(of mailbox: Int64) throws -> Int64? {
        try Int64.fetchOne(db, sql: "SELECT lastEvent FROM chatMailbox WHERE id = ?", arguments: [mailbox])
    }

    /// Returns the last message of another user that waits in a mailbox, if it is after another one.
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

    /// Sends the position of its device's events to a socket, after the earlier commits.
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
                    createdAt: row["createdAt"], attachment: attachment(row),
                    mentions: (row["mentions"] as String?)?.split(separator: ",").map(String.init)))
        case "message_delivered": content = .messageDelivered(messageId: messageId)
        case "message_read": content = .messageRead(messageId: messageId)
        case "message_changed":
            content = .messageChanged(
                MessageRevision(
                    messageId: messageId, revision: row["id"], content: row["content"], changedAt: row["createdAt"]))
        case "group_changed":
            let text: String? = row["content"]
            // It was encoded here, so it can be decoded.
            let group = text.flatMap { try? BackendJSON.decoder.decode(ChatGroup.self, from: Data($0.utf8)) }
            guard let group else { return nil }
            content = .groupChanged(group)
        default: return nil
        }
        return ChatEvent(id: row["id"], previous: row["previous"], content: content)
    }

    /// Adds an event to the mailboxes of users, and to those of the caller's other devices.
    mutating func tell(
        _ content: ChatEvent.Content, as id: Int64, to users: [Int64], andOthersOf caller: ChatCaller? = nil
    ) throws {
        for user in users {
            for mailbox in try mailboxes(of: user) { try put(content, as: id, of: user, into: mailbox, caller) }
        }
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
        var attachment: ChatAttachment?
        var mentions: String?
        switch content {
        case .newMessage(let message):
            (messageId, text, attachment) = (message.messageId, message.content, message.attachment)
            mentions = message.mentions?.joined(separator: ",")
            (sender, recipient) = (Int64(message.fromUserId) ?? sender, Int64(message.toUserId) ?? recipient)
        case .messageDelivered(let message), .messageRead(let message): (messageId, text) = (message, nil)
        case .messageChanged(let revision): (messageId, text) = (revision.messageId, revision.content)
        case .groupChanged(let group):
            text = String(decoding: try BackendJSON.encoder.encode(group), as: UTF8.self)
            messageId = Int64(group.id) ?? 0
        case .contactStatusUpdate, .position, .unknown: return
        }
        try db.cachedStatement(sql: "INSERT INTO chatEvent VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                mailbox, id, previous, event.type, messageId, sender, recipient, text, now,
                try Self.text(of: attachment),
                mentions,
            ])
        try db.cachedStatement(sql: "UPDATE chatMailbox SET lastEvent = ? WHERE id = ?").execute(
            arguments: [id, mailbox])
        outgoing.append(.event(event, user: user, mailbox: mailbox))
    }
}
