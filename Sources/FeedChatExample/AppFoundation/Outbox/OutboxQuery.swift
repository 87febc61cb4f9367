package import GRDB

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the lanes of a table of pending operations with SQL, for ``OutboxTable/lanes(excluding:limit:batchLimit:)``.
///
///     static let query = OutboxQuery(table: "UserInteractions", lane: "postId", order: "id")
///
/// An index on the lane and order columns of pending rows makes it cheap:
/// `CREATE INDEX ... ON UserInteractions(postId, id) WHERE status = 'pending'`.
package struct OutboxQuery: Sendable {
    private let table: String
    private let lane: String
    private let order: String
    private let pending: String
    private let notBefore: String?

    /// Creates a query for a table. All arguments are SQL, never user input.
    ///
    /// - Parameters:
    ///   - lane: the column whose value is the lane.
    ///   - order: the column that orders the operations of the table, such as its id.
    ///   - pending: the condition of rows to be sent.
    ///   - notBefore: the column with the time of the next attempt, if there is one.
    package init(
        table: String, lane: String, order: String, pending: String = "status = 'pending'", notBefore: String? = nil
    ) {
        self.table = table
        self.lane = lane
        self.order = order
        self.pending = pending
        self.notBefore = notBefore
    }

    /// Reads the lanes, the one with the oldest operation first.
    package func lanes<Operation>(
        _ database: Database, excluding busy: Set<String>, limit: Int, batchLimit: Int,
        operation: (Row) throws -> Operation
    ) throws -> [OutboxLane<Operation>] {
        let heads = try Row.fetchAll(
            database,
            sql: """
                SELECT \(lane) AS lane, min(\(order)) AS head FROM \(table)
                WHERE (\(pending)) AND CAST(\(lane) AS TEXT) NOT IN (SELECT value FROM json_each(?))
                GROUP BY \(lane) ORDER BY head LIMIT ?
                """, arguments: [json(busy), limit])
        return try heads.compactMap { head in
            let value: DatabaseValue = head["lane"]
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM \(table) WHERE (\(pending)) AND \(lane) = ? ORDER BY \(order), rowid LIMIT ?",
                arguments: [value, batchLimit])
            guard let first = rows.first, let name = String.fromDatabaseValue(value) ?? Self.text(value) else {
                return nil
            }
            let due = notBefore.flatMap { Date.fromDatabaseValue(first[$0] as DatabaseValue) }
            return OutboxLane(name: name, operations: try rows.map(operation), notBefore: due)
        }
    }

    private static func text(_ value: DatabaseValue) -> String? {
        Int64.fromDatabaseValue(value).map(String.init)
    }

    private func json(_ names: Set<String>) throws -> String {
        String(decoding: try JSONEncoder().encode(names.sorted()), as: UTF8.self)
    }
}
