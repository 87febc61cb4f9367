import GRDB

extension ChatTransaction {
    /// Finds messages by the prefixes of all words, newest first.
    ///
    /// - Parameters:
    ///   - text: the search text; a text without a word finds nothing.
    ///   - contactId: the conversation; `nil` for all.
    ///   - olderThan: continues after the last found message; `nil` from the newest.
    ///   - limit: the maximum number of messages.
    package func search(
        _ text: String, in contactId: String? = nil, olderThan: Int64? = nil, limit: Int = 50
    ) throws -> [Message] {
        try hits(text, in: contactId, olderThan: olderThan, limit: limit).map(\.message)
    }

    /// Does the same, with the other side of the conversation and the words around each match.
    package func hits(
        _ text: String, in contactId: String?, olderThan: Int64?, limit: Int
    ) throws -> [SearchHit] {
        guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else { return [] }
        let rows = try Row.fetchAll(
            db, sql: contactId == nil ? Self.searchSQL : Self.searchInSQL,
            arguments: contactId.map { [pattern, olderThan ?? .max, $0, limit] } ?? [pattern, olderThan ?? .max, limit])
        return try rows.map { row in
            let message = Message(row: row)
            let contactId = message.contactId(for: userId)
            return SearchHit(
                message: message, contact: try user(contactId) ?? User(id: contactId, name: contactId),
                excerpt: SearchHit.pieces(row["excerpt"]))
        }
    }

    private static let found = """
        SELECT Messages.*, snippet(MessageSearch, 0, char(2), char(3), '…', 12) AS excerpt
        FROM MessageSearch CROSS JOIN Messages ON Messages.messageId = MessageSearch.rowid
        WHERE MessageSearch MATCH ? AND MessageSearch.rowid < ?
        """
    package static let searchSQL = found + " ORDER BY MessageSearch.rowid DESC LIMIT ?"
    package static let searchInSQL = found + " AND Messages.contactId = ? ORDER BY MessageSearch.rowid DESC LIMIT ?"
}
