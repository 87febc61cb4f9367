import GRDB

/// A page of history, oldest message first.
package struct HistoryPage: Sendable, Hashable {
    package var messages: [Message]
    package var previous: HistoryKey?
    package var next: HistoryKey?
}

extension ChatTransaction {
    /// Reads a page: one range of one index in either direction, however long the conversation is.
    ///
    /// - Parameters:
    ///   - key: the page.
    ///   - contactId: the conversation.
    ///   - limit: the maximum number of messages, at least 2, because a page with only its boundary would lead to
    ///     itself.
    package func history(_ key: HistoryKey, with contactId: String, limit: Int) throws -> HistoryPage {
        let limit = max(2, limit)
        switch key {
        case .newest:
            let (older, hasOlder) = try older(than: nil, with: contactId, limit: limit)
            return page(older, beside: nil, hasOlder: hasOlder, hasNewer: false)
        case .upTo(let id):
            let (older, hasOlder) = try older(than: id == .max ? id : id + 1, with: contactId, limit: limit)
            return page(older, beside: id, hasOlder: hasOlder, hasNewer: true)
        case .after(let id):
            let (newer, hasNewer) = try newer(than: id, with: contactId, limit: limit)
            return page(newer, beside: id, hasOlder: true, hasNewer: hasNewer)
        case .around(let id):
            let (older, hasOlder) = try older(than: id, with: contactId, limit: limit / 2)
            let (newer, hasNewer) = try newer(
                than: id == .min ? id : id - 1, with: contactId, limit: limit - older.count)
            return page(older + newer, beside: id, hasOlder: hasOlder, hasNewer: hasNewer)
        }
    }

    private func page(_ messages: [Message], beside id: Int64?, hasOlder: Bool, hasNewer: Bool) -> HistoryPage {
        HistoryPage(
            messages: messages,
            previous: hasOlder ? (messages.first?.messageId ?? id).map(HistoryKey.upTo) : nil,
            next: hasNewer ? (messages.last?.messageId ?? id).map(HistoryKey.after) : nil)
    }

    private func older(
        than id: Int64?, with contactId: String, limit: Int
    ) throws -> (messages: [Message], hasMore: Bool) {
        let rows = try Row.fetchAll(
            try db.cachedStatement(sql: Self.olderSQL), arguments: [contactId, id ?? .max, limit + 1])
        return (rows.prefix(limit).map(Message.init(row:)).reversed(), rows.count > limit)
    }

    private func newer(
        than id: Int64, with contactId: String, limit: Int
    ) throws -> (messages: [Message], hasMore: Bool) {
        let rows = try Row.fetchAll(try db.cachedStatement(sql: Self.newerSQL), arguments: [contactId, id, limit + 1])
        return (rows.prefix(limit).map(Message.init(row:)), rows.count > limit)
    }

    // The index is named, because with one large conversation the planner might scan all of them.
    package static let olderSQL = """
        SELECT * FROM Messages INDEXED BY MessagesByConversation
        WHERE contactId = ? AND messageId < ? ORDER BY messageId DESC LIMIT ?
        """
    package static let newerSQL = """
        SELECT * FROM Messages INDEXED BY MessagesByConversation
        WHERE contactId = ? AND messageId > ? ORDER BY messageId LIMIT ?
        """

    /// Returns the oldest unread message of a contact; `nil` if there is none.
    package func firstUnread(from contactId: String) throws -> Int64? {
        try Int64.fetchOne(db, sql: Self.firstUnreadSQL, arguments: [contactId])
    }

    package func unreadCount(from contactId: String) throws -> Int {
        try Int.fetchOne(db, sql: Self.unreadCountSQL, arguments: [contactId]) ?? 0
    }

    package static let firstUnreadSQL = """
        SELECT min(messageId) FROM Messages WHERE contactId = ? AND status < 2 AND isIncoming
        """
    package static let unreadCountSQL = """
        SELECT count(*) FROM Messages WHERE contactId = ? AND status < 2 AND isIncoming
        """
}

extension ChatTransaction {
    /// Returns the number of unread messages of all conversations.
    package func unreadTotal() throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM Messages WHERE status < 2 AND isIncoming") ?? 0
    }
}
