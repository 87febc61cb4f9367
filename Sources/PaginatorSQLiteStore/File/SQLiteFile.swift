package import Dispatch
package import PaginatorCore
import Synchronization

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

/// One database file, with the one handle that this process has on it: a connection that writes, several that read, and
/// one that copies the WAL back. Every namespace and item type in the file shares it.
///
/// `@unchecked Sendable`: `writer`, `number`, `sideLock`, `lastReplacement` and the flags are used only by who holds
/// `writing`, and `checkpointer` and `mayCompact` belong to the queue `maintenance`.
package final class SQLiteFile: @unchecked Sendable {
    let path: String
    let vfs: String?
    let busyTimeout: Int32
    let sideLock: SideLock
    /// Held during I/O: it makes one transaction at a time. Nobody takes it on a caller's thread.
    let writing = Lock()
    var writer: SQLiteConnection?
    var number: FileNumber?
    /// Which file at this path is in use: it grows when another one takes its place. A reader of an earlier one is dropped by
    /// whoever takes it.
    let generations = Atomic(0)
    let idle = IdleReaders()
    /// The file in use, as readers compare it now and then with what is at the path.
    let numberToRead = Guarded<FileNumber?>(nil)
    package let maintenance = DispatchQueue(label: "paginator.sqlite.maintenance", qos: .utility)
    var isMaintenanceDue = false
    var needsErasure = false
    var lastReplacement: PaginatorError?
    /// Used on `maintenance` alone.
    var checkpointer: SQLiteConnection?
    var mayCompact = true

    /// How many frames the WAL may have before it is copied back: 4 MB of pages.
    private static let checkpointFrames = 1_000
    /// How many it may have before writers wait for that: 64 MB of pages.
    static let mostFrames = 16_384
    /// How many free pages are worth a rewrite of the file: 8 MB of them.
    static let fewestFreePages = 2_048
    /// When the WAL is so long that the writer is to copy it back.
    var frameLimit = SQLiteFile.mostFrames
    /// How much of the file a reader keeps in memory, in KB: half of what SQLite would.
    ///
    /// What it has read is seldom asked for again, because the pages are in memory then, and each new piece of the file goes
    /// where the oldest was. With 2 MB that place is no longer in the processor's cache, and a read takes 4 to 8 % longer;
    /// with 512 KB a file of 9,000 pages is read slower, because what leads to the pages does not stay.
    static let readerCacheSize = 1_024

    init(path: String, vfs: String?, busyTimeout: Int32) {
        self.path = path
        self.vfs = vfs
        self.busyTimeout = busyTimeout
        sideLock = SideLock(path: path + "-lock")
    }

    /// Which file at this path is in use.
    var generation: Int { generations.load(ordering: .acquiring) }

    /// Opens the file, or makes it.
    ///
    /// - Returns: where a damaged file was set aside to, if one was.
    func open() throws(PaginatorError) -> PaginatorError? {
        writing.lock()
        defer { writing.unlock() }
        guard writer == nil else { return nil }
        do {
            _ = try connect()
            return nil
        } catch {
            if error.storeFailure?.kind == .replaced { return error }
            throw error
        }
    }

    /// Limits the size of the file, for tests of a full disk.
    package func limitPages(to count: Int) throws(PaginatorError) {
        writing.lock()
        defer { writing.unlock() }
        let connection = try connect()
        do {
            try connection.execute("PRAGMA max_page_count = \(count)", "limit pages")
        } catch {
            throw mapped(error)
        }
    }

    // MARK: - Writing

    /// Runs `body` in one transaction, which is committed when it returns and rolled back when it throws.
    ///
    /// - Parameters:
    ///   - durably: whether the commit must outlive a loss of power.
    ///   - body: gets the connection and the file's generation.
    /// - Returns: what `body` returned.
    func write<R>(
        durably: Bool,
        _ body: (SQLiteConnection, Int) throws(SQLiteError) -> R
    ) throws(PaginatorError) -> R {
        writing.lock()
        defer { writing.unlock() }
        // With a connection this is asked below, where nobody can replace the file any more.
        if writer == nil, number != nil, FileNumber(path: path) != number { throw try replaceVanished() }
        let connection = try connect()
        let activity = BackgroundActivity(onExpiration: connection.interrupter)
        defer { activity.end() }
        do {
            try sideLock.take(.shared, isSure: durably)
        } catch {
            // With its folder the lock is gone too.
            guard FileNumber(path: path) == number else { throw try replaceVanished() }
            throw PaginatorError(store: error, "The store's file \(path) could not be locked.")
        }
        guard FileNumber(path: path) == number else {
            sideLock.release()
            throw try replaceVanished()
        }
        let error: SQLiteError
        do {
            let result = try transact(connection, durably, body)
            if needsErasure, durably { erase(connection) }
            limitWAL(connection)
            sideLock.release()
            if needsErasure { scheduleMaintenance(after: .seconds(1)) }
            if connection.framesInWAL > Self.checkpointFrames { scheduleMaintenance() }
            return result
        } catch let failure {
            error = failure
        }
        let isDamaged = error.code.isDamage || hasLostSchema(connection, error)
        sideLock.release()
        guard isDamaged else { throw mapped(error) }
        throw try setAside(error)
    }

    private func transact<R>(
        _ connection: SQLiteConnection,
        _ durably: Bool,
        _ body: (SQLiteConnection, Int) throws(SQLiteError) -> R
    ) throws(SQLiteError) -> R {
        try connection.setSynchronous(isFull: durably)
        try connection.run(.begin)
        do {
            let result = try body(connection, generation)
            try connection.run(.commit)
            return result
        } catch {
            if connection.isInTransaction {
                // The first error is the one to tell; a rollback that fails leaves the transaction to the close.
                do { try connection.run(.rollback) } catch { writer = nil }
            }
            throw error
        }
    }

}
