import Dispatch
import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

/// One database file, with the one handle that this process has on it: a connection that writes, several that read, and
/// one that copies the WAL back. Every namespace and item type in the file shares it.
///
/// `@unchecked Sendable`: `writer`, `number`, `sideLock`, the errors and the flags are used only by who holds
/// `writing`, and `checkpointer` and `freeBefore` belong to the queue `maintenance`.
final class SQLiteFile: @unchecked Sendable {
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
    let generations = AtomicWord()
    let idle = IdleReaders()
    let writers = FileWriters()
    /// The file in use, as readers compare it now and then with what is at the path.
    let numberToRead = Guarded<FileNumber?>(nil)
    let maintenance = DispatchQueue(label: "paginator.sqlite.maintenance", qos: .utility)
    var isMaintenanceDue = false
    var needsErasure = false
    var lastReplacement: PaginatorError?
    /// Whether the file is there, and of this version.
    let isOpen = AtomicWord()
    /// How many attempts to open it have failed, and the last one's error.
    private let failedOpenings = AtomicWord()
    private var openingFailure: PaginatorError?
    /// Whether what is removed is overwritten at once: some store on this file wants that.
    let overwritesRemoved = AtomicWord()
    /// Used on `maintenance` alone.
    var checkpointer: SQLiteConnection?
    /// How many pages were free before the last step of giving them back; `nil` when there was none.
    var freeBefore: Int64?

    /// How many frames the WAL may have before it is copied back: 4 MB of pages.
    private static let checkpointFrames = 1_000
    /// How many it may have before writers wait for that: 64 MB of pages.
    static let mostFrames = 16_384
    /// How many free pages are worth giving back: 8 MB of them.
    static let fewestFreePages: Int64 = 2_048
    /// How many pages a step of giving space back moves at most: 1 MB.
    static let pagesPerStep: Int64 = 256
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
        sideLock = SideLock(path: path + "-lock", patience: busyTimeout)
    }

    deinit {
        // Closing the last connection copies the WAL back: not on the thread of who lets go of a store.
        let connections = [writer, checkpointer]
        (writer, checkpointer) = (nil, nil)
        maintenance.async { [idle] in
            idle.removeAll()
            withExtendedLifetime(connections) {}
        }
    }

    /// Which file at this path is in use.
    var generation: UInt64 { generations.value }

    /// Opens the file, or makes it, unless that has been done. A damaged one is set aside, which the first who asks
    /// is told as an error.
    func open() throws(PaginatorError) {
        guard isOpen.value == 0 else { return }
        let failures = failedOpenings.value
        writing.lock()
        defer { writing.unlock() }
        // Who waited for somebody that another process kept waiting does not begin to wait anew.
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

    /// Limits the size of the file, for tests of a full disk.
    func limitPages(to count: Int) throws(PaginatorError) {
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
        _ body: (SQLiteConnection, UInt64) throws(SQLiteError) -> R
    ) throws(PaginatorError) -> R {
        writing.lock()
        defer { writing.unlock() }
        // With a connection this is asked below, where nobody can replace the file any more.
        if writer == nil, number != nil, FileNumber(path: path) != number { throw try replaceVanished() }
        let connection = try connect()
        // Before the lock: a process that is suspended while it holds one is ended by the system.
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
            try connection.setOverwritingRemoved(overwritesRemoved.value != 0)
            let result = try transact(connection, durably, body)
            // Who flushes after a clear wants its last traces gone as well.
            if needsErasure, durably { erase(connection) }
            // While the side lock is held, so that nobody takes the file away meanwhile.
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

    func transact<R>(
        _ connection: SQLiteConnection,
        _ durably: Bool,
        _ body: (SQLiteConnection, UInt64) throws(SQLiteError) -> R
    ) throws(SQLiteError) -> R {
        // Before the transaction begins, in which SQLite refuses it. NORMAL syncs the WAL when it is copied back alone: a
        // loss of power takes the last commits and leaves a sound file. https://www.sqlite.org/pragma.html#pragma_synchronous
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
