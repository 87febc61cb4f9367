import ChatWire
import GRDB

/// A text that a message had before it was edited.
package struct EarlierText: Sendable, Hashable {
    package var content: String
    /// The server's time of the edit that replaced it, in milliseconds since 1970; `nil` where it was not told.
    package var replacedAt: Int64?

    package init(content: String, replacedAt: Int64?) {
        self.content = content
        self.replacedAt = replacedAt
    }
}

extension ChatTransaction {
    /// The texts that a message had, the oldest first. A text that was replaced before this device was told of the message
    /// is not among them, and of a message that was deleted for all none is kept.
    package func earlierTexts(of messageId: Int64) throws -> [EarlierText] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM MessageEdits WHERE messageId = ? ORDER BY id", arguments: [messageId]
        ).map { EarlierText(content: $0["content"], replacedAt: $0["replacedAt"]) }
    }

    /// Keeps the text that an edit replaces; forgets all of them where the message is deleted for all.
    func keepEdit(of messageId: Int64, from previous: String, with revision: MessageRevision) throws {
        guard let content = revision.content else {
            return try db.execute(sql: "DELETE FROM MessageEdits WHERE messageId = ?", arguments: [messageId])
        }
        // Who deleted the message on this device does not want its texts either.
        guard content != previous, try message(messageId) != nil else { return }
        try db.execute(
            sql: "INSERT INTO MessageEdits(messageId, content, replacedAt) VALUES (?, ?, ?)",
            arguments: [messageId, previous, revision.changedAt])
    }
}
