import GRDB

extension ChatTransaction {
    /// Finds messages by the beginnings of all their words, newest first.
    ///
    /// - Parameters:
    ///   - text: what the user typed; nothing is found for a text without a word.
    ///   - contactId: the conversation; `nil` for all.
    ///   - olderThan: continues behind the last message found; `nil` from the newest.
    ///   - limit: how many to return at most.
    package func search(
        _ text: String, in contactId: String? = nil, olderThan: Int64? = nil, limit: Int = 50
    ) throws -> [Message] {
        guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else { return [] }
        return try Row.fetchAll(
            db, sql: contactId == nil ? Self.searchSQL : Self.searchInSQL,
            arguments: contactId.map { [pattern, olderThan ?? .max, $0, limit] } ?? [pattern, olderThan ?? .max, limit]
        ).map(Message.init(row:))
    }

    package static let searchSQL = """
        SELECT Messages.* FROM MessageSearch CROSS JOIN Messages ON Messages.messageId = MessageSearch.rowid
        WHERE MessageSearch MATCH ? AND MessageSearch.rowid < ? ORDER BY MessageSearch.rowid DESC LIMIT ?
        """
    package static let searchInSQL = """
        SELECT Messages.* FROM MessageSearch CROSS JOIN Messages ON Messages.messageId = MessageSearch.rowid
        WHERE MessageSearch MATCH ? AND MessageSearch.rowid < ? AND Messages.contactId = ?
        ORDER BY MessageSearch.rowid DESC LIMIT ?
        """
}
