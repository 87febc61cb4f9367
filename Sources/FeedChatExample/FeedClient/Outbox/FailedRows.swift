import GRDB

/// Failed rows of the outbox. The last ones are kept for display.
enum FailedRows {
    /// The maximum number of them in a table.
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
