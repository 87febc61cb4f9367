import GRDB

extension ChatTransaction {
    /// The conversations, the one with the last message first.
    ///
    /// Complexity: O(contacts x log messages).
    package func previews() throws -> [ConversationPreview] {
        try Row.fetchAll(db, sql: Self.previewsSQL).compactMap { row -> ConversationPreview? in
            let contact = User(row: row)
            let lastMessageId: Int64? = row["lastMessageId"]
            let message: (text: String, time: Int64)? = try lastMessageId.flatMap { id in
                try self.message(id).map { ($0.isDeleted ? "message deleted" : $0.content, $0.createdAt) }
            }
            let waiting = try requests(to: contact.id).last
            let draft = try Row.fetchOne(
                db, sql: "SELECT * FROM MessageRequests WHERE toUserId = ? AND status = 0", arguments: [contact.id]
            ).map(MessageRequest.init(row:))
            guard message != nil || waiting != nil || draft != nil else { return nil }
            // What waits follows what was accepted, whatever the two clocks say.
            let time = max(message?.time ?? .min, waiting?.createdAt ?? .min, draft?.lastModifiedAt ?? .min)
            return ConversationPreview(
                contact: contact, lastMessageSummary: Self.summary(draft?.content ?? waiting?.content ?? message?.text),
                lastMessageTimestamp: time, unreadCount: try unreadCount(from: contact.id), isDraft: draft != nil)
        }.sorted { ($0.lastMessageTimestamp, $1.contact.id) > ($1.lastMessageTimestamp, $0.contact.id) }
    }

    package static let previewsSQL = """
        SELECT Users.*, (
            SELECT messageId FROM Messages WHERE contactId = Users.id ORDER BY messageId DESC LIMIT 1
        ) AS lastMessageId
        FROM Users
        """

    /// The first line of a text, cut to a length that fits a row.
    static func summary(_ text: String?) -> String {
        let line = (text ?? "").prefix { !$0.isNewline }
        return line.count > 60 ? line.prefix(59) + "…" : String(line)
    }
}
