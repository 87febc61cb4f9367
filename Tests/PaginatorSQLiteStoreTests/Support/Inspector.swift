import PaginatorCore

@testable import PaginatorSQLiteStore

/// A look at a database file past the store.
struct Inspector {
    private let connection: SQLiteConnection

    init(_ path: String) throws {
        connection = try SQLiteConnection(path: path, role: .reader, vfs: nil, busyTimeout: 5_000, generation: 0)
    }

    func texts(_ sql: String) throws -> [String] { try connection.texts(sql, "inspect") }

    func number(_ sql: String) throws -> Int { Int(try connection.number(sql, "inspect")) }

    func execute(_ sql: String) throws { try connection.execute(sql, "inspect") }

    func queryPlan(of query: SQLiteQuery) throws -> [String] {
        let statement = try SQLiteStatement(connection, sql: "EXPLAIN QUERY PLAN " + query.sql, name: "plan")
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(3) ?? "") }
        return lines
    }
}

/// Whether the long forms of the tests run: `PAGINATOR_LONG=1`, or `scripts/store-long`.
let isLongRun = ProcessEnvironment.value("PAGINATOR_LONG") != nil

/// Runs `body`, and waits until the process has let go of the file that stores in it used.
func closing(_ path: String, _ body: () throws -> Void) throws {
    struct Weak { weak var file: SQLiteFile? }
    try body()
    let held = Weak(file: try SQLiteFile.shared(path: path, vfs: nil, busyTimeout: 5_000))
    while held.file != nil {}
}
