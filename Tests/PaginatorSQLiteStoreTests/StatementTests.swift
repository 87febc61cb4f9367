import TestFolders
import Testing

@testable import PaginatorSQLiteStore

/// Values that are bound to a statement.
@Suite("Statements")
struct StatementTests {
    @Test func `Nothing is kept as nothing and not as a missing value, be it bytes or a text`() throws {
        let folder = TemporaryFolder()
        let connection = try SQLiteConnection(
            path: folder.file, role: .writer, vfs: nil, busyTimeout: 5_000, generation: 0)
        try connection.execute("CREATE TABLE t(bytes BLOB NOT NULL, text TEXT NOT NULL, none TEXT)", "make table")
        let statement = try SQLiteStatement(connection, sql: "INSERT INTO t VALUES (?1, ?2, ?3)", name: "insert")
        try statement.bind(1, borrowed: UnsafeRawBufferPointer(start: nil, count: 0))
        try statement.bind(2, copy: "")
        try statement.bind(3, copy: nil)
        #expect(try !statement.step())
        statement.reset()
        let texts = ["cafe\u{301}", "a text that is longer than fifteen bytes", "a\0b"]
        for text in texts {
            try statement.bind(2, copy: text)
            #expect(try !statement.step())
            statement.reset()
        }
        let kinds = "SELECT typeof(bytes) || length(bytes) || typeof(text) || typeof(none) FROM t"
        #expect(try connection.texts(kinds, "read kinds") == Array(repeating: "blob0textnull", count: 4))
        let kept = try connection.texts("SELECT text FROM t", "read texts")
        #expect(kept.map { Array($0.utf8) } == ([""] + texts).map { Array($0.utf8) })
        withExtendedLifetime(folder) {}
    }
}
