import GRDB

/// Rows of the outbox that were given up. The last ones stay, for whoever asks what became of them.
enum GivenUpRows {
    /// How many stay in a table.
    static let limit = 100

    /// Removes the oldest ones beyond the limit.
    static func trim(_ table: String, _ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM \(table) WHERE status = 'canceled' AND id <= (
                    SELECT id FROM \(table) WHERE status = 'canceled' ORDER BY id DESC LIMIT 1 OFFSET ?)
                """, arguments: [limit])
    }
}
