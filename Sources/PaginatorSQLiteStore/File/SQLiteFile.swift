import Dispatch
import PaginatorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One database file, with the one handle that this process has on it: a connection that writes, several that read, and
/// one that copies the WAL back. Every namespace and item type in the file shares it.
///
/// `@unchecked Sendable`: `writer`, `number`, `sideLock` and the two flags are used only by who holds `writing`, the readers
/// lie in `reading`, and `checkpointer` belongs to the queue `maintenance`.
package final class SQLiteFile: @unchecked Sendable {
    let path: String
    private let vfs: String?
    private let busyTimeout: Int32
    private let sideLock: SideLock
    /// Held during I/O: it makes one transaction at a time. Nobody takes it on a caller's thread.
    private let writing = Lock()
    private var writer: SQLiteConnection?
    private var number: FileNumber?
    private let reading = Guarded(Readers())
    private let maintenance = DispatchQueue(label: "paginator.sqlite.maintenance", qos: .utility)
    private var isMaintenanceDue = false
    private var needsErasure = false
    /// Used on `maintenance` alone.
    private var checkpointer: SQLiteConnection?

    private struct Readers {
        var generation = 0
        var idle: [SQLiteConnection] = []
        var count = 0
    }

    /// How many frames the WAL may have before it is copied back: 4 MB of pages.
    private static let checkpointFrames = 1_000
    /// How many idle readers are kept.
    private static let maxIdleReaders = 8

    init(path: String, vfs: String?, busyTimeout: Int32) {
        self.path = path
        self.vfs = vfs
        self.busyTimeout = busyTimeout
        sideLock = SideLock(path: path + "-lock")
    }

    /// Which file at this path is in use: it grows when another one takes its place.
    var generation: Int { reading.withLock { $0.generation } }

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

    // MARK: - Reading

    /// Runs `body` with a connection that only reads.
    func read<R>(_ body: (SQLiteConnection) throws(SQLiteError) -> R) throws(PaginatorError) -> R {
        let reader: SQLiteConnection
        do {
            reader = try takeReader()
        } catch {
            throw mapped(error)
        }
        let result: Result<R, SQLiteError>
        do {
            result = .success(try body(reader))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let value):
            giveBack(reader)
            return value
        case .failure(let error):
            guard error.code.isDamage || hasLostSchema(reader, error) else {
                giveBack(reader)
                throw mapped(error)
            }
            throw replaceDamaged(error, generation: reader.generation)
        }
    }

    private func takeReader() throws(SQLiteError) -> SQLiteConnection {
        let (known, generation) = reading.withLock { readers in
            readers.count &+= 1
            return (readers.idle.popLast(), readers.generation)
        }
        if let known { return known }
        let reader = try SQLiteConnection(
            path: path, role: .reader, vfs: vfs, busyTimeout: busyTimeout, generation: generation)
        try reader.execute("PRAGMA query_only = 1; PRAGMA cell_size_check = 1", "set up reader")
        return reader
    }

    private func giveBack(_ reader: SQLiteConnection) {
        // Otherwise it is closed here: it belongs to a file that is no longer in use.
        reading.withLock { readers in
            guard reader.generation == readers.generation, readers.idle.count < Self.maxIdleReaders else { return }
            readers.idle.append(reader)
        }
    }

    /// Whether a statement failed because the tables it needs are gone.
    private func hasLostSchema(_ connection: SQLiteConnection, _ error: SQLiteError) -> Bool {
        guard [SQLITE_ERROR, SQLITE_SCHEMA].contains(error.code.primary) else { return false }
        do {
            if case .current = try SQLiteSchema.state(of: connection) { return false }
            return true
        } catch {
            return error.code.isDamage
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
        let connection = try connect()
        let activity = BackgroundActivity(onExpiration: connection.interrupter)
        defer { activity.end() }
        do {
            try sideLock.take(.shared)
        } catch {
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
            sideLock.release()
            if needsErasure { scheduleMaintenance(after: .seconds(1)) }
            if connection.framesInWAL > Self.checkpointFrames { scheduleMaintenance(after: .nanoseconds(0)) }
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
        try connection.execute("PRAGMA synchronous = \(durably ? "FULL" : "NORMAL")", "set synchronous")
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

    // MARK: - Opening and replacing; `writing` is held

    private func connect() throws(PaginatorError) -> SQLiteConnection {
        if let writer { return writer }
        do {
            try FileManager.default.createDirectory(
                atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        } catch {
            throw PaginatorError(
                store: StoreFailure(.unavailable, operation: "make folder", message: "\(error)"),
                "The folder of the store's file \(path) could not be made.")
        }
        do {
            try sideLock.take(.exclusive)
        } catch {
            throw PaginatorError(store: error, "The store's file \(path) could not be locked.")
        }
        defer { sideLock.release() }
        do {
            return try connectLocked()
        } catch {
            guard error.code.isDamage else { throw mapped(error) }
            throw try moveAside(error)
        }
    }

    private func connectLocked() throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: path, role: .writer, vfs: vfs, busyTimeout: busyTimeout, generation: generation)
        try connection.execute("PRAGMA cell_size_check = 1; PRAGMA trusted_schema = 0", "set up writer")
        switch try SQLiteSchema.state(of: connection) {
        case .current: break
        case .empty: try create(in: connection)
        case .older(let version): try migrate(connection, from: version)
        case .newer(let version):
            throw SQLiteError(refusal: .newer, "It was written by a later version of the library (\(version)).")
        case .foreign:
            throw SQLiteError(refusal: .foreign, "It belongs to another application.")
        case .damaged:
            throw SQLiteError(
                code: SQLiteCode(raw: SQLITE_CORRUPT), message: "The schema is not ours.", operation: "read schema",
                errno: 0)
        }
        try connection.execute(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = FAST", "use WAL")
        let number = FileNumber(path: path)
        reading.withLock { readers in
            // A reader of the file that was here before must not come back.
            if self.number != nil, self.number != number { readers.generation += 1 }
            readers.idle.removeAll { $0.generation != readers.generation }
        }
        self.number = number
        writer = connection
        AppleFileAttributes.excludeFromBackup(path)
        needsErasure = try connection.number("SELECT erasure FROM store", "read erasure") != 0
        if needsErasure { scheduleMaintenance(after: .nanoseconds(0)) }
        return connection
    }

    private func create(in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL", "prepare file")
        try connection.execute("BEGIN IMMEDIATE", "begin schema")
        try SQLiteSchema.create(in: connection)
        try connection.execute("COMMIT", "commit schema")
    }

    private func migrate(_ connection: SQLiteConnection, from version: Int64) throws(SQLiteError) {
        try connection.execute("BEGIN IMMEDIATE", "begin migration")
        for step in version..<SQLiteSchema.version {
            try SQLiteSchema.migrations[step]?(connection)
        }
        try connection.execute("PRAGMA user_version = \(SQLiteSchema.version); COMMIT", "commit migration")
        guard case .current = try SQLiteSchema.state(of: connection) else {
            throw SQLiteError(
                code: SQLiteCode(raw: SQLITE_CORRUPT), message: "The file could not be brought up to date.",
                operation: "migrate", errno: 0)
        }
    }

    /// Sets the damaged file aside that a reader found, unless that has happened already.
    private func replaceDamaged(_ error: SQLiteError, generation: Int) -> PaginatorError {
        writing.lock()
        defer { writing.unlock() }
        guard self.generation == generation else {
            return PaginatorError(
                store: StoreFailure(.replaced, operation: error.operation, message: error.message),
                "The store's file was replaced while it was read.")
        }
        do {
            return try setAside(error)
        } catch {
            return error
        }
    }

    private func setAside(_ error: SQLiteError) throws(PaginatorError) -> PaginatorError {
        do {
            try sideLock.take(.exclusive)
        } catch {
            throw PaginatorError(store: error, "The store's file \(path) could not be locked.")
        }
        defer { sideLock.release() }
        return try moveAside(error)
    }

    /// Moves the damaged file away and starts a new one; the side lock is held exclusively.
    ///
    /// - Returns: the error that reports it.
    private func moveAside(_ error: SQLiteError) throws(PaginatorError) -> PaginatorError {
        let target = path + "-damaged"
        let isStillThere = number == nil || FileNumber(path: path) == number
        writer = nil
        reading.withLock { readers in
            readers.generation += 1
            readers.idle = []
        }
        number = nil
        if isStillThere {
            for suffix in ["", "-wal"] {
                remove(target + suffix)
                if rename(path + suffix, target + suffix) != 0, errno != ENOENT {
                    let failure = StoreFailure(
                        errno == EROFS || errno == EACCES ? .readOnly : .unavailable, code: Int(errno),
                        operation: "set aside", message: String(cString: strerror(errno)))
                    throw PaginatorError(
                        store: failure, "The damaged file \(path) could not be set aside.")
                }
            }
            remove(path + "-shm")
        }
        do {
            _ = try connectLocked()
        } catch {
            throw mapped(error)
        }
        let failure = StoreFailure(
            .replaced, code: Int(error.code.raw), operation: error.operation, message: error.message)
        return PaginatorError(
            store: failure,
            isStillThere
                ? "The store's file \(path) was damaged (\(error.message)). It was set aside as \(target), and a new one started."
                : "The store's file \(path) was damaged, and another process has replaced it.")
    }

    /// Starts a new file where the one in use was moved or removed, or takes the one that another process started there.
    private func replaceVanished() throws(PaginatorError) -> PaginatorError {
        writer = nil
        reading.withLock { readers in
            readers.generation += 1
            readers.idle = []
        }
        number = nil
        // What a file that is gone left behind belongs to no other.
        if FileNumber(path: path) == nil { for suffix in ["-wal", "-shm"] { remove(path + suffix) } }
        _ = try connect()
        return PaginatorError(
            store: StoreFailure(.replaced, operation: "find file", message: "The file has vanished."),
            "The store's file \(path) was moved or removed while it was in use; a new one was started.")
    }

    /// Removes a file, if it is there.
    private func remove(_ path: String) {
        // A file that stays is found by SQLite, which says what is wrong with it.
        unlink(path)
    }

    private func mapped(_ error: SQLiteError) -> PaginatorError {
        if let refusal = error.refusal {
            let failure = StoreFailure(refusal, operation: error.operation, message: error.message)
            return PaginatorError(store: failure, "The file \(path) is left alone: \(error.message)")
        }
        return PaginatorError(store: error.failure, "The store's file \(path) failed: \(error.message)")
    }

    // MARK: - Maintenance

    /// Notes, within a transaction, that removed pages must leave no trace.
    func noteErasure(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run(.noteErasure)
        needsErasure = true
    }

    /// Copies the WAL back and erases what is to be erased, off the writers' path; `writing` is held.
    private func scheduleMaintenance(after delay: DispatchTimeInterval) {
        guard !isMaintenanceDue else { return }
        isMaintenanceDue = true
        maintenance.asyncAfter(deadline: .now() + delay) { [weak self] in self?.maintain() }
    }

    private func maintain() {
        let connection: SQLiteConnection? = writing.withLock {
            isMaintenanceDue = false
            if needsErasure, let writer { eraseLocked(writer) }
            return writer
        }
        guard connection != nil else { return }
        do {
            // A connection of its own, so that writers go on meanwhile.
            let generation = generation
            if checkpointer?.generation != generation {
                checkpointer = try SQLiteConnection(
                    path: path, role: .checkpointer, vfs: vfs, busyTimeout: 100, generation: generation)
            }
            try checkpointer?.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        } catch {
            // The WAL stays as it is, and the next commit that finds it long asks again.
            checkpointer = nil
        }
    }

    private func eraseLocked(_ connection: SQLiteConnection) {
        do {
            try sideLock.take(.shared)
        } catch {
            return scheduleMaintenance(after: .seconds(1))
        }
        defer { sideLock.release() }
        guard FileNumber(path: path) == number else { return }
        erase(connection)
        if needsErasure { scheduleMaintenance(after: .seconds(5)) }
    }

    /// Rewrites the file without what was removed, and empties the WAL. It stays to be done when it fails.
    private func erase(_ connection: SQLiteConnection) {
        for suffix in ["", "-wal"] { remove(path + "-damaged" + suffix) }
        do {
            try connection.execute("VACUUM", "erase")
            try connection.execute("UPDATE store SET erasure = 0", "note erasure")
            try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
            needsErasure = false
        } catch {
            // Readers of another process, or no room: the note in the file brings it back.
            needsErasure = true
        }
    }
}
