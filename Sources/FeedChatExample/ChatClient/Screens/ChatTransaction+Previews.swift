import GRDB

extension ChatTransaction {
    /// The conversations by the server's time of their last message, the newest first.
    ///
    /// Drafts and waiting messages have no server time and do not move a conversation, so device clocks do not order
    /// the list. Conversations without messages on the server were started here, and come first.
    ///
    /// Complexity: O(contacts x log messages).
    package func previews() throws -> [ConversationPreview] {
        let found = try Row.fetchAll(db, sql: Self.previewsSQL).compactMap { row -> Found? in
            let contact = User(row: row)
            let lastMessageId: Int64? = row["lastMessageId"]
            let message = try lastMessageId.flatMap(self.message)
            let waiting = try requests(to: contact.id).last
            let draft = try Row.fetchOne(
                db, sql: "SELECT * FROM MessageRequests WHERE toUserId = ? AND status = 0", arguments: [contact.id]
            ).map(MessageRequest.init(row:))
            guard message != nil || waiting != nil || draft != nil else { return nil }
            let text =
                draft?.content ?? waiting?.summary ?? message.map { $0.isDeleted ? "message deleted" : $0.summary }
            var preview = ConversationPreview(
                contact: contact, lastMessageSummary: Self.summary(text), lastMessageTimestamp: message?.createdAt,
                unreadCount: try unreadCount(from: contact.id), isDraft: draft != nil)
            preview.mentionsMe = try preview.unreadCount > 0 && hasUnreadMention(in: contact.id)
            return Found(
                preview: preview, lastMessageId: message?.messageId,
                writtenAt: max(waiting?.createdAt ?? .min, draft?.createdAt ?? .min))
        }
        return found.sorted { $0.place > $1.place }.map(\.preview)
    }

    private struct Found {
        let preview: ConversationPreview
        let lastMessageId: Int64?
        let writtenAt: Int64

        /// Messages of the same millisecond are ordered by id; conversations started here, by this device's clock.
        var place: (Int64, Int64, String) {
            guard let lastMessageId else { return (.max, writtenAt, preview.id) }
            return (preview.lastMessageTimestamp ?? .min, lastMessageId, preview.id)
        }
    }

    package static let previewsSQL = """
        SELECT Users.*, (
            SELECT messageId FROM Messages WHERE contactId = Users.id ORDER BY messageId DESC LIMIT 1
        ) AS lastMessageId
        FROM Users
        """

    /// Returns the first line of a text, cut to the length of a row.
    static func summary(_ text: String?) -> String {
        let line = (text ?? "").prefix { !$0.isNewline }
        return line.count > 60 ? line.prefix(59) + "…" : String(line)
    }
}
