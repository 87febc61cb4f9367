import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

/// A prepared statement.
///
/// Values bound without a copy are bound, stepped through and reset within one call.
final class SQLiteStatement {
    private let handle: OpaquePointer
    // The connection retains its statements; a strong reference back would be a cycle.
    private unowned let connection: SQLiteConnection
    private let name: String

    init(_ connection: SQLiteConnection, sql: String, name: String) throws(SQLiteError) {
        self.connection = connection
        self.name = name
        handle = try connection.prepare(sql, name)
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Moves to the next row, and returns whether there is one.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.error(code, name)
        }
    }

    /// Resets the statement to be bound and run again.
    func reset() {
        // The result is ignored: it repeats the error of the last step, which was thrown.
        sqlite3_reset(handle)
    }

    // MARK: - Binding

    func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ index: Int32, _ value: Int) throws(SQLiteError) {
        try bind(index, Int64(value))
    }

    func bindNull(_ index: Int32) throws(SQLiteError) {
        try check(sqlite3_bind_null(handle, index))
    }

    /// Binds a text by a copy of it.
    func bind(_ index: Int32, copy value: String?) throws(SQLiteError) {
        guard let value else { return try bindNull(index) }
        // As a C string, whose pointer is never null: a null pointer would bind NULL.
        let code = value.withCString { text in
            sqlite3_bind_text64(handle, index, text, UInt64(value.utf8.count), Self.copied, UInt8(SQLITE_UTF8))
        }
        try check(code)
    }

    /// Binds bytes by a copy of them; NULL for none.
    func bind(_ index: Int32, copy bytes: [UInt8]) throws(SQLiteError) {
        if bytes.isEmpty { return try bindNull(index) }
        try check(sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), Self.copied))
    }

    /// Binds bytes that must stay in place until the statement has run.
    func bind(_ index: Int32, borrowed bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        // A null pointer would bind NULL, which the column rejects.
        guard let base = bytes.baseAddress else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), nil))
    }

    /// SQLITE_TRANSIENT, a macro that Swift does not import.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw connection.error(code, name) }
    }

    // MARK: - Columns of the current row

    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    // Clamped, because a damaged file may contain any number, and `Int` may have 32 bits.
    func int(_ column: Int32) -> Int { Int(clamping: sqlite3_column_int64(handle, column)) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// Returns a text; `nil` for NULL. Invalid UTF-8, after damage, is repaired: the checksum finds it.
    func text(_ column: Int32) -> String? {
        guard let base = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        // Texts of up to 15 bytes are stored inline in a `String`; this creates them without a call.
        if count <= 15 {
            return String(unsafeUninitializedCapacity: 15) {
                UnsafeMutableRawBufferPointer($0).copyMemory(from: UnsafeRawBufferPointer(start: base, count: count))
                return count
            }
        }
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    // Empty for NULL; see ``SQLiteSchema/statements``.
    func tags(_ column: Int32) -> [String] {
        isNull(column) ? [] : bytes(column).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let base = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }
}
