import ChatWire
import GRDB

/// A text of a message before an edit.
package struct EarlierText: Sendable, Hashable {
    package var content: String
    /// The server's time of the edit that replaced it, in milliseconds since 1970; `nil` if unknown.
    package var replacedAt: Int64?

    package init(content: String, replacedAt: Int64?) {
        self.content = content
        self.replacedAt = replacedAt
    }
}

extension ChatTransaction {
    /// Returns the earlier texts of a message, the oldest first. Texts that were replaced before this device got the
    /// message are missing, and for a message that was deleted for all there are none.
    package func earlierTexts(of messageId: Int64) throws -> [EarlierText] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM MessageEdits WHERE messageId = ? ORDER BY id", arguments: [messageId]
        ).map { EarlierText(content: $0["content"], replacedAt: $0["replacedAt"]) }
    }

    /// Stores the text that an edit replaces; deletes all of them if the message is deleted for all.
    func keepEdit(of messageId: Int64, from previous: String, with revision: MessageRevision) throws {
        guard let content = revision.content else {
            return try db.execute(sql: "DELETE FROM MessageEdits WHERE messageId = ?", arguments: [messageId])
        }
        // If the user deleted the message on this device, its texts are not stored either.
        guard content != previous, try message(messageId) != nil else { return }
        try db.execute(
            sql: "INSERT INTO MessageEdits(messageId, content, replacedAt) VALUES (?, ?, ?)",
            arguments: [messageId, previous, revision.changedAt])
    }
}
