import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

/// A connection to a database, with its prepared statements.
///
/// `@unchecked Sendable`: one thread at a time uses it: the writer by the holder of `SQLiteFile.writing`, a reader by
/// the thread that took it from `SQLiteFile.idle`, the checkpointer by its queue. Any thread may call ``interrupt()``,
/// which only sets an atomic number and calls what SQLite allows on any thread.
final class SQLiteConnection: @unchecked Sendable {
    enum Role { case writer, reader, checkpointer }

    private let handle: OpaquePointer
    private var statements: [SQLiteStatement?]
    /// `nil` until set.
    private var isSynchronousFull: Bool?
    private var overwritesRemoved: Bool?
    private let isInterrupted = AtomicWord()
    let generation: UInt64
    /// The number of times that it was taken for reading.
    var uses = 0
    /// The number of bytes that the WAL keeps when it restarts.
    private static let walLimit = 64 << 20
    /// The number of frames in the WAL after the last commit, set by the hook.
    private let walFrames: UnsafeMutablePointer<Int32>

    /// Opens the file at `path`; a writer creates it if it is missing.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - role: the use of the connection.
    ///   - vfs: the name of a VFS; `nil` for the system's.
    ///   - busyTimeout: the time SQLite waits for other connections, in milliseconds.
    ///   - generation: the number of the file at this path.
    init(path: String, role: Role, vfs: String?, busyTimeout: Int32, generation: UInt64) throws(SQLiteError) {
        // One thread at a time uses a connection, so SQLite needs no mutex for it.
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
        // Allocated after opening, because an initializer that throws before runs no `deinit`.
        walFrames = .allocate(capacity: 1)
        statements = Array(repeating: nil, count: SQLiteQuery.allCases.count)
        walFrames.initialize(to: 0)
        sqlite3_busy_timeout(handle, busyTimeout)
        // When the last connection removes the WAL by name, it might already be that of another file at the same path.
        var persists: Int32 = 1
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &persists)
        if role == .writer {
            // Replaces SQLite's own hook, which checkpoints within a commit. `PRAGMA wal_autocheckpoint` would remove
            // this one, even with zero.
            sqlite3_wal_hook(
                handle,
                { context, _, _, frames in
                    context?.assumingMemoryBound(to: Int32.self).pointee = frames
                    return SQLITE_OK
                }, walFrames)
        }
        // With a limit, the last connection truncates the WAL; otherwise the next one would read all of it.
        try execute("PRAGMA journal_size_limit = \(Self.walLimit)", "limit WAL")
        #if canImport(Darwin)
            // Otherwise a sync leaves the data in the drive's cache, which may write it in another order.
            try execute("PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1", "set sync")
        #endif
        // A connection that has read nothing does not know of a WAL: it copies nothing and reports success.
        if role == .checkpointer { _ = try number("PRAGMA schema_version", "find WAL") }
    }

    deinit {
        // First, because a connection stays open until its statements are finalized.
        statements = []
        sqlite3_close_v2(handle)
        walFrames.deallocate()
    }

    /// The number of frames in the WAL after this connection's last commit.
    var framesInWAL: Int { Int(walFrames.pointee) }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Runs statements whose rows are not needed.
    func execute(_ sql: String, _ operation: String) throws(SQLiteError) {
        try checkInterrupt()
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, operation) }
    }

    /// Sets whether a commit waits for the disk. Not within a transaction.
    func setSynchronous(isFull: Bool) throws(SQLiteError) {
        // Cached, because the pragma would be compiled for each commit.
        guard isFull != isSynchronousFull else { return }
        try execute("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")", "set synchronous")
        isSynchronousFull = isFull
    }

    /// Sets whether removed content is overwritten, in free pages too. Not within a transaction.
    func setOverwritingRemoved(_ overwrites: Bool) throws(SQLiteError) {
        guard overwrites != overwritesRemoved else { return }
        // FAST overwrites only in pages that a transaction writes anyway.
        try execute("PRAGMA secure_delete = \(overwrites ? "ON" : "FAST")", "set secure delete")
        overwritesRemoved = overwrites
    }

    /// Returns the first column of the first row as a number; zero if there is no row.
    func number(_ sql: String, _ operation: String) throws(SQLiteError) -> Int64 {
        let statement = try SQLiteStatement(self, sql: sql, name: operation)
        guard try statement.step() else { return 0 }
        return statement.int64(0)
    }

    /// Returns the first column of every row as text.
    func texts(_ sql: String, _ operation: String) throws(SQLiteError) -> [String] {
        let statement = try SQLiteStatement(self, sql: sql, name: operation)
        var texts: [String] = []
        while try statement.step() { texts.append(statement.text(0) ?? "") }
        return texts
    }

    /// A number that changes when another connection changes the file.
    func dataVersion() throws(SQLiteError) -> Int64 { try number("PRAGMA data_version", "read data version") }

    /// Returns the prepared statement of a query, ready to be bound.
    func prepared(_ query: SQLiteQuery) throws(SQLiteError) -> SQLiteStatement {
        if query != .rollback { try checkInterrupt() }
        if let known = statements[query.rawValue] { return known }
        let statement = try SQLiteStatement(self, sql: query.sql, name: query.name)
        statements[query.rawValue] = statement
        return statement
    }

    /// Copies the WAL's content into the file.
    ///
    /// - Parameter mode: `SQLITE_CHECKPOINT_PASSIVE`, or a mode that waits for others.
    func checkpoint(_ mode: Int32) throws(SQLiteError) {
        try checkInterrupt()
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil)
        guard code == SQLITE_OK else { throw error(code, "checkpoint") }
        // Only commits call the hook, so the old number would stay until the next one.
        if mode == SQLITE_CHECKPOINT_TRUNCATE { walFrames.pointee = 0 }
    }

    /// SQLite's handle of the database's file.
    var mainFile: UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK ? file : nil
    }

    /// Drops cached pages of the file. Not within a transaction.
    func releaseMemory() {
        sqlite3_db_release_memory(handle)
    }

    /// Interrupts the running statement and refuses further ones, until ``endInterrupt()``.
    func interrupt() {
        // SQLite alone would forget the interrupt if it comes between two statements.
        isInterrupted.value = 1
        sqlite3_interrupt(handle)
    }

    func endInterrupt() { isInterrupted.value = 0 }

    func checkInterrupt() throws(SQLiteError) {
        guard isInterrupted.value == 0 else {
            throw SQLiteError(
                code: SQLiteCode(raw: SQLITE_INTERRUPT), message: "The process is about to be suspended.",
                operation: "interrupt")
        }
    }

    /// Runs a prepared statement whose rows are not needed. `bind` binds its parameters.
    func run(
        _ query: SQLiteQuery, _ bind: (SQLiteStatement) throws(SQLiteError) -> Void = { _ in }
    ) throws(SQLiteError) {
        let statement = try prepared(query)
        defer { statement.reset() }
        try bind(statement)
        _ = try statement.step()
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func prepare(_ sql: String, _ name: String) throws(SQLiteError) -> OpaquePointer {
        var statement: OpaquePointer?
        // Persistent statements do not use SQLite's small lookaside memory for short-lived ones.
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
        // For other failures, errno is from an earlier call.
        let isFile = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xff)
        // The connection's last error may be another one.
        return SQLiteError(
            code: SQLiteCode(raw: extended & 0xff == code & 0xff ? extended : code), message: message,
            operation: operation, errno: isFile ? handle.map(sqlite3_system_errno) ?? 0 : 0)
    }
}
