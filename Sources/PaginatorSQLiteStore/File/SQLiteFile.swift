import Dispatch
import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

/// A database file with the only handle of this process: a connection that writes, several that read, and one that
/// checkpoints the WAL. All namespaces and item types in the file share it.
///
/// `@unchecked Sendable`: only the holder of `writing` uses `writer`, `number`, `sideLock`, `cleanVersion`, the errors
/// and the flags, and only the queue `maintenance` uses `checkpointer` and `freeBefore`.
final class SQLiteFile: @unchecked Sendable {
    let path: String
    let vfs: String?
    let busyTimeout: Int32
    let sideLock: SideLock
    /// Held during I/O, for one transaction at a time. Never taken on a caller's thread.
    let writing = Lock()
    var writer: SQLiteConnection?
    var number: FileNumber?
    /// The generation of the file at this path, incremented when another file replaces it. A reader of an earlier one
    /// is dropped when it is taken.
    let generations = AtomicWord()
    let idle = IdleReaders()
    let writers = FileWriters()
    /// The file in use, which readers sometimes compare with the file at the path.
    let numberToRead = Guarded<FileNumber?>(nil)
    let maintenance = DispatchQueue(label: "paginator.sqlite.maintenance", qos: .utility)
    var isMaintenanceDue = false
    var needsErasure = false
    /// The writer's ``SQLiteConnection/dataVersion()`` at its last erasure; `nil` before, and after pages were removed.
    var cleanVersion: Int64?
    /// The report of a replacement that no caller has got yet, because the new file could not be created.
    var unreportedReplacement: PaginatorError?
    /// Whether the file exists with the current version.
    let isOpen = AtomicWord()
    /// The number of failed attempts to open it, and the last error.
    private let failedOpenings = AtomicWord()
    private var openingFailure: PaginatorError?
    /// Whether removed pages are overwritten at once, because a store on this file wants that.
    let overwritesRemoved = AtomicWord()
    /// Only used on `maintenance`.
    var checkpointer: SQLiteConnection?
    /// The number of free pages before the last step of returning them; `nil` if there was none.
    var freeBefore: Int64?

    /// The number of WAL frames that starts a checkpoint: 4 MB of pages.
    private static let checkpointFrames = 1_000
    /// The number of WAL frames at which writers wait for a checkpoint: 64 MB of pages.
    static let mostFrames = 16_384
    /// The minimum number of free pages worth returning: 8 MB.
    static let fewestFreePages: Int64 = 2_048
    /// The maximum number of pages that one step of returning space moves: 1 MB.
    static let pagesPerStep: Int64 = 256
    /// The length of the WAL at which the writer must checkpoint it.
    var frameLimit = SQLiteFile.mostFrames
    /// The page cache of a reader in KB: half of SQLite's default.
    ///
    /// Pages are seldom read twice, because memory has them then. With 2 MB the cache no longer fits into the
    /// processor's cache, and a read takes 4 to 8 % longer. With 512 KB a file of 9,000 pages is read more slowly,
    /// because the interior pages of the b-tree do not stay.
    static let readerCacheSize = 1_024

    init(path: String, vfs: String?, busyTimeout: Int32) {
        self.path = path
        self.vfs = vfs
        self.busyTimeout = busyTimeout
        sideLock = SideLock(path: path + "-lock", patience: busyTimeout)
    }

    deinit {
        // Closing the last connection checkpoints the WAL, which must not run on the thread that releases a store.
        let connections = Guarded([writer, checkpointer])
        (writer, checkpointer) = (nil, nil)
        maintenance.async { [idle] in
            // The checkpoint locks the file.
            let activity = BackgroundActivity.begin(interrupting: nil)
            defer { activity?.end() }
            idle.removeAll()
            connections.replace(with: [])
        }
    }

    /// The generation of the file in use.
    var generation: UInt64 { generations.value }

    /// Opens or creates the file, unless that has been done. A damaged one is moved aside, and the first caller gets an
    /// error for it.
    func open() throws(PaginatorError) {
        guard isOpen.value == 0 else { return }
        let failures = failedOpenings.value
        writing.lock()
        defer { writing.unlock() }
        // Another caller may have opened it meanwhile, also after a failed attempt.
        guard isOpen.value == 0 else { return }
        // A caller that waited for a failed attempt does not wait for another one.
        if let openingFailure, failedOpenings.value != failures { throw openingFailure }
        do {
            _ = try connect()
        } catch {
            if error.storeFailure?.kind != .replaced {
                openingFailure = error
                failedOpenings.add(1)
            }
            throw error
        }
    }

    // MARK: - Writing

    /// Runs `body` in one transaction, which is committed when it returns and rolled back when it throws.
    ///
    /// - Parameters:
    ///   - durably: whether the commit must survive a power failure.
    ///   - body: called with the connection and the file's generation.
    /// - Returns: the result of `body`.
    func write<R>(
        durably: Bool,
        _ body: (SQLiteConnection, UInt64) throws(SQLiteError) -> R
    ) throws(PaginatorError) -> R {
        writing.lock()
        defer { writing.unlock() }
        let connection = try connect()
        // Before the lock, because the system kills a process that is suspended while it holds one.
        let activity = BackgroundActivity.begin(interrupting: connection)
        defer { activity?.end() }
        do {
            try sideLock.take(.shared)
        } catch {
            // If its folder was removed, the lock is gone, too.
            guard FileNumber(path: path) == number else { throw replaceVanished() }
            throw PaginatorError(store: error, "The store's file \(path) could not be locked.")
        }
        guard FileNumber(path: path) == number else {
            sideLock.release()
            throw replaceVanished()
        }
        let failure: SQLiteError
        do {
            try connection.setOverwritingRemoved(overwritesRemoved.value != 0)
            let result = try transact(connection, durably, body)
            // A flush after a clear must also remove the last copies.
            if needsErasure, durably { erase(connection) }
            // While the side lock is held, so that no process removes the file meanwhile.
            limitWAL(connection)
            sideLock.release()
            if needsErasure { scheduleMaintenance(after: .seconds(1)) }
            if connection.framesInWAL > Self.checkpointFrames { scheduleMaintenance() }
            return result
        } catch {
            failure = error
            // Otherwise what was rolled back stays in the WAL, and takes up the space of the device.
            if error.failure.kind == .full { do { try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE) } catch {} }
        }
        let (error, isDamaged) = cause(of: failure, connection)
        sideLock.release()
        guard isDamaged else { throw mapped(error) }
        throw try setAside(error)
    }

    func transact<R>(
        _ connection: SQLiteConnection,
        _ durably: Bool,
        _ body: (SQLiteConnection, UInt64) throws(SQLiteError) -> R
    ) throws(SQLiteError) -> R {
        // Before the transaction, within which SQLite refuses it. NORMAL only syncs the WAL when it is checkpointed: a
        // power failure loses the last commits, but the file stays sound.
        // https://www.sqlite.org/pragma.html#pragma_synchronous
        try connection.setSynchronous(isFull: durably)
        try connection.run(.begin)
        do {
            try checkVersion(connection)
            let result = try body(connection, generation)
            try connection.run(.commit)
            return result
        } catch {
            if connection.isInTransaction {
                // The first error is reported. If the rollback fails, closing the connection ends the transaction.
                do { try connection.run(.rollback) } catch { writer = nil }
            }
            throw error
        }
    }

    /// Throws if a later version of the library has brought the file up to date since it was opened: what this one
    /// would write might be damage for the other.
    private func checkVersion(_ connection: SQLiteConnection) throws(SQLiteError) {
        let statement = try connection.prepared(.version)
        defer { statement.reset() }
        guard try statement.step() else { return }
        let version = statement.int64(0)
        if version > SQLiteSchema.version, let refusal = SQLiteSchema.State.newer(version).refusal { throw refusal }
    }
}
