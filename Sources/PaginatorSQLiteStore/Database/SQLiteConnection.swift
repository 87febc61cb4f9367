import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

/// One connection to a database, with its prepared statements.
///
/// `@unchecked Sendable`: one thread at a time uses it. The writer is used by who holds `SQLiteFile.writing`, a reader by
/// who took it out of `SQLiteFile.idle`, and the checkpointer on its queue.
package final class SQLiteConnection: @unchecked Sendable {
    package enum Role { case writer, reader, checkpointer }

    private let handle: OpaquePointer
    private var statements: [SQLiteStatement?]
    /// Room for the texts of the statement that runs.
    let textRoom: UnsafeMutableRawBufferPointer
    /// `nil` until it was set.
    private var isSynchronousFull: Bool?
    private var overwritesRemoved: Bool?
    let generation: UInt64
    /// How often it was taken to read.
    var uses = 0
    /// The namespace that was asked for last: who asked, and its id.
    var lastNamespace: (owner: UInt64, id: Int64)?
    /// The bytes that the WAL may keep when it is begun anew.
    private static let walLimit = 64 << 20
    /// The number of frames in the WAL after the last commit, as the hook told it.
    private let walFrames: UnsafeMutablePointer<Int32>

    /// Opens the file at `path`, which a writer makes when it is missing.
    ///
    /// - Parameters:
    ///   - path: where the file is.
    ///   - role: what it is for.
    ///   - vfs: the name of a VFS; `nil` for the system's.
    ///   - busyTimeout: how long SQLite waits for others, in milliseconds.
    ///   - generation: which file at this path it belongs to.
    package init(path: String, role: Role, vfs: String?, busyTimeout: Int32, generation: UInt64) throws(SQLiteError) {
        // A connection is used by one thread at a time, so SQLite needs no mutex of its own for it.
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_READWRITE
        if role == .writer { flags |= SQLITE_OPEN_CREATE }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // SQLITE_OPEN_FILEPROTECTION_COMPLETEUNTILFIRSTUSERAUTHENTICATION: background refresh can still write.
            flags |= 0x0030_0000
        #endif
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, vfs)
        guard let opened, code == SQLITE_OK else {
            let error = Self.error(code, opened, "open")
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        self.generation = generation
        // Not before it is open: who throws until then has no `deinit`.
        textRoom = .allocate(byteCount: 1_024, alignment: 16)
        walFrames = .allocate(capacity: 1)
        statements = Array(repeating: nil, count: SQLiteQuery.allCases.count)
        walFrames.initialize(to: 0)
        // Without them all failures of I/O look the same.
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, busyTimeout)
        // A WAL that the last connection removed by its name might by then be that of another file at the same path.
        var persists: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &persists)
        if role == .writer {
            // It takes the place of SQLite's own, which copies the WAL back within a commit. `PRAGMA wal_autocheckpoint` would
            // take it away, also with zero.
            sqlite3_wal_hook(
                handle,
                { context, _, _, frames in
                    context?.assumingMemoryBound(to: Int32.self).pointee = frames
                    return SQLITE_OK
                }, walFrames)
        }
        // With a limit, whoever closes last empties the WAL; the next one to open the file would read all of it.
        try execute("PRAGMA journal_size_limit = \(Self.walLimit)", "limit WAL")
        // A connection that has read nothing does not know that there is a WAL: it copies nothing, and reports success.
        if role == .checkpointer { _ = try number("PRAGMA schema_version", "find WAL") }
    }

    deinit {
        // First: a connection with statements stays open until the last of them is finalized.
        statements = []
        sqlite3_close_v2(handle)
        walFrames.deallocate()
        textRoom.deallocate()
    }

    /// The number of frames in the WAL after this connection's last commit.
    var framesInWAL: Int { Int(walFrames.pointee) }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Runs statements that give no rows of interest.
    package func execute(_ sql: String, _ operation: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, operation) }
    }

    /// Sets whether a commit waits until it is on the disk; not within a transaction.
    func setSynchronous(isFull: Bool) throws(SQLiteError) {
        // Remembered, since the pragma would be compiled for each commit.
        guard isFull != isSynchronousFull else { return }
        try execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")", "set synchronous")
        isSynchronousFull = isFull
    }

    /// Sets whether what is removed is overwritten, in free pages too; not within a transaction.
    func setOverwritingRemoved(_ overwrites: Bool) throws(SQLiteError) {
        guard overwrites != overwritesRemoved else { return }
        // FAST overwrites what a transaction writes anyway, and leaves free pages as they are.
        try execute("PRAGMA secure_delete = \(overwrites ? "ON" : "FAST")", "set secure delete")
        overwritesRemoved = overwrites
    }

    /// Returns the first column of the first row as a number; zero when there is no row.
    func number(_ sql: String, _ operation: String) throws(SQLiteError) -> Int64 {
        let statement = try SQLiteStatement(self, sql: sql, name: operation)
        return try statement.step() ? statement.int64(0) : 0
    }

    /// Returns the first column of every row as text.
    func texts(_ sql: String, _ operation: String) throws(SQLiteError) -> [String] {
        let statement = try SQLiteStatement(self, sql: sql, name: operation)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0) ?? "") }
        return texts
    }

    /// Returns the prepared statement of a query, ready to be bound.
    func prepared(_ query: SQLiteQuery) throws(SQLiteError) -> SQLiteStatement {
        if let known = statements[query.rawValue] { return known }
        let statement = try SQLiteStatement(self, sql: query.sql, name: query.name)
        statements[query.rawValue] = statement
        return statement
    }

    /// Copies what the WAL holds into the file.
    ///
    /// - Parameter mode: `SQLITE_CHECKPOINT_PASSIVE` or one that waits for others.
    func checkpoint(_ mode: Int32) throws(SQLiteError) {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw error(code, "checkpoint") }
        // The hook comes with commits alone, and would leave the old number until the next one.
        if mode == SQLITE_CHECKPOINT_TRUNCATE { walFrames.pointee = 0 }
    }

    /// The database's file, as SQLite has it open.
    var mainFile: UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK ? file : nil
    }

    /// Forgets what was read of the file; not within a transaction.
    func releaseMemory() {
        sqlite3_db_release_memory(handle)
    }

    /// Stops the statement that runs.
    var interrupter: SQLiteInterrupter { SQLiteInterrupter(handle: handle) }

    /// Runs a prepared statement that has nothing to bind and gives no rows.
    func run(_ query: SQLiteQuery) throws(SQLiteError) {
        let statement = try prepared(query)
        defer { statement.reset() }
        _ = try statement.step()
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func prepare(_ sql: String, _ name: String) throws(SQLiteError) -> OpaquePointer {
        var statement: OpaquePointer?
        // Persistent ones are kept out of the small memory that SQLite has for statements that soon end.
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw error(code, name) }
        return statement
    }

    func error(_ code: Int32, _ operation: String) -> SQLiteError {
        Self.error(code, handle, operation)
    }

    private static func error(_ code: Int32, _ handle: OpaquePointer?, _ operation: String) -> SQLiteError {
        let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        let extended = handle.map(sqlite3_extended_errcode) ?? code
        // After other failures it is what some earlier call left.
        let isFile = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xff)
        // The connection remembers its last failure, which may be another one.
        return SQLiteError(
            code: SQLiteCode(raw: extended & 0xff == code & 0xff ? extended : code), message: message,
            operation: operation, errno: isFile ? handle.map(sqlite3_system_errno) ?? 0 : 0)
    }
}

/// Stops what a connection does, from any thread.
///
/// `@unchecked Sendable`: the handle is used for `sqlite3_interrupt` alone, which SQLite allows on any thread while the
/// connection is open; a ``BackgroundActivity`` ends before that.
struct SQLiteInterrupter: @unchecked Sendable {
    fileprivate let handle: OpaquePointer

    func callAsFunction() {
        sqlite3_interrupt(handle)
    }
}
