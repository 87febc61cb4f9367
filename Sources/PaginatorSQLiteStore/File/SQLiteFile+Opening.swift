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

/// Opens the file, and replaces it if it is damaged or missing; `writing` is held.
extension SQLiteFile {
    func connect() throws(PaginatorError) -> SQLiteConnection {
        if let writer { return writer }
        do {
            try FileManager.default.createDirectory(
                atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        } catch {
            throw PaginatorError(
                store: StoreFailure(.unavailable, operation: "make folder", message: "\(error)"),
                "The folder of the store's file \(path) could not be made.")
        }
        let activity = BackgroundActivity.begin(interrupting: nil)
        defer { activity?.end() }
        do {
            // The file may have to be created or moved aside, which two processes must not do at once.
            try sideLock.take(.exclusive)
        } catch {
            throw PaginatorError(store: error, "The store's file \(path) could not be locked.")
        }
        defer { sideLock.release() }
        let found = FileNumber(path: path)
        if let number, found != number { noteVanished() }
        // Files left beside a removed one belong to no other. Under the lock, or they may be those of a file that another
        // process creates at this moment.
        if found == nil { for suffix in ["-wal", "-shm"] { remove(path + suffix) } }
        let connection: SQLiteConnection
        do {
            connection = try connectLocked()
        } catch {
            guard error.code.isDamage else { throw mapped(error) }
            throw try moveAside(error)
        }
        if let report = unreportedReplacement { throw told(report) }
        return connection
    }

    func connectLocked() throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: path, role: .writer, vfs: vfs, busyTimeout: busyTimeout, generation: generation)
        // Damage is detected when it is read, and a foreign schema cannot run functions.
        try connection.execute("PRAGMA cell_size_check = 1; PRAGMA trusted_schema = 0", "set up writer")
        let state = try SQLiteSchema.state(of: connection)
        if let refusal = state.refusal { throw refusal }
        switch state {
        case .current, .newer, .foreign: break
        case .empty: try create(in: connection)
        case .older(let version): try migrate(connection, from: version)
        case .damaged:
            throw SQLiteError(
                code: SQLiteCode(raw: SQLITE_CORRUPT), message: "The schema is not ours.", operation: "read schema")
        }
        // After the check of the schema: this changes the header, and a foreign file must not be changed.
        try connection.execute("PRAGMA journal_mode = WAL", "use WAL")
        let needsErasure = try connection.number("SELECT erasure FROM store", "read erasure") != 0
        let isMostlyFree = try isMostlyFree(connection)
        // Nothing fails from here on, so that a replacement is reported by the attempt that has a connection.
        let number = FileNumber(path: path)
        numberToRead.withLock { $0 = number }
        self.number = number
        writer = connection
        AppleFileAttributes.excludeFromBackup(path)
        cleanVersion = nil
        self.needsErasure = needsErasure
        if needsErasure || isMostlyFree { scheduleMaintenance() }
        // Last, because threads that read it without the lock use readers at once.
        isOpen.value = 1
        return connection
    }

    func create(in connection: SQLiteConnection) throws(SQLiteError) {
        // Lets free space be returned in steps; SQLite accepts this only in an empty file.
        try connection.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL", "prepare file")
        try connection.execute("BEGIN IMMEDIATE", "begin schema")
        try SQLiteSchema.create(in: connection)
        try connection.execute("COMMIT", "commit schema")
    }

    func migrate(_ connection: SQLiteConnection, from version: Int64) throws(SQLiteError) {
        // One transaction for all versions, so that the file is unchanged if the process dies.
        try connection.execute("BEGIN IMMEDIATE", "begin migration")
        for step in version..<SQLiteSchema.version {
            try SQLiteSchema.migrations[step]?(connection)
        }
        try connection.execute("PRAGMA user_version = \(SQLiteSchema.version); COMMIT", "commit migration")
        // A file whose tables match no version is damaged, whatever its number.
        guard case .current = try SQLiteSchema.state(of: connection) else {
            throw SQLiteError(
                code: SQLiteCode(raw: SQLITE_CORRUPT), message: "The file could not be brought up to date.",
                operation: "migrate")
        }
    }

    /// Moves aside the damaged file that a reader found, unless that has already happened.
    func replaceDamaged(_ error: SQLiteError, generation: UInt64) -> ReadFailure {
        writing.lock()
        defer { writing.unlock() }
        // Several readers may find the same damage, but the new file must not be moved aside.
        guard self.generation == generation else {
            return ReadFailure(error: mapped(error), missedReplacement: true)
        }
        do {
            return ReadFailure(error: try setAside(error))
        } catch {
            return ReadFailure(error: error)
        }
    }

    func setAside(_ error: SQLiteError) throws(PaginatorError) -> PaginatorError {
        let activity = BackgroundActivity.begin(interrupting: nil)
        defer { activity?.end() }
        do {
            try sideLock.take(.exclusive)
        } catch {
            throw PaginatorError(store: error, "The store's file \(path) could not be locked.")
        }
        defer { sideLock.release() }
        return try moveAside(error)
    }

    /// Moves the damaged file away and creates a new one; the side lock is held exclusively.
    ///
    /// - Returns: the error that reports it.
    func moveAside(_ error: SQLiteError) throws(PaginatorError) -> PaginatorError {
        let target = path + "-damaged"
        let isStillThere = number == nil || FileNumber(path: path) == number
        let failure = StoreFailure(
            .replaced, code: Int(error.code.raw), operation: error.operation, message: error.message)
        let report = PaginatorError(
            store: failure,
            isStillThere
                ? "The store's file \(path) was damaged (\(error.message)). It was set aside as \(target), and a new one started."
                : "The store's file \(path) was damaged, and another process has replaced it.")
        // Closed before the rename, because with the last connection SQLite removes the WAL by its old name.
        letGo()
        if isStillThere {
            for suffix in ["", "-wal"] {
                // Only the last damaged file is kept, so that repeated damage does not fill the device.
                remove(target + suffix)
                if rename(path + suffix, target + suffix) != 0, errno != ENOENT {
                    let failure = StoreFailure(
                        errno == EROFS || errno == EACCES ? .readOnly : .unavailable, code: Int(errno),
                        operation: "set aside", message: String(cString: strerror(errno)))
                    throw PaginatorError(
                        store: failure, "The damaged file \(path) could not be set aside.")
                }
                unreportedReplacement = report
            }
            // It is the index of a removed WAL; SQLite creates a new one.
            remove(path + "-shm")
        }
        unreportedReplacement = report
        do {
            _ = try connectLocked()
        } catch {
            throw mapped(error)
        }
        return told(report)
    }

    /// Creates a new file if the current one was moved or removed, or uses the one that another process created.
    ///
    /// - Returns: the error that reports it, or that of the attempt; then the next successful one reports it.
    func replaceVanished() -> PaginatorError {
        let report = noteVanished()
        do throws(PaginatorError) {
            _ = try connect()
            return report
        } catch {
            return error
        }
    }

    @discardableResult
    private func noteVanished() -> PaginatorError {
        letGo()
        let report = PaginatorError(
            store: StoreFailure(.replaced, operation: "find file", message: "The file has vanished."),
            "The store's file \(path) was moved or removed while it was in use; a new one was started.")
        unreportedReplacement = report
        return report
    }

    private func letGo() {
        writer = nil
        discardReaders()
        number = nil
    }

    /// Ends a replacement, whose report the caller throws or returns.
    private func told(_ report: PaginatorError) -> PaginatorError {
        discardReaders()
        unreportedReplacement = nil
        return report
    }

    /// Discards all readers opened so far: before a replacement because they read the old file; after it because one
    /// opened in between may have seen the new file unfinished, which is no damage.
    func discardReaders() {
        generations.add(1)
        idle.removeAll()
    }

    /// Removes a file, if it is there.
    func remove(_ path: String) {
        // If the file remains, SQLite finds it and reports the error.
        unlink(path)
    }

    func mapped(_ error: SQLiteError) -> PaginatorError {
        if let refusal = error.refusal {
            let failure = StoreFailure(refusal, operation: error.operation, message: error.message)
            return PaginatorError(store: failure, "The file \(path) is left alone: \(error.message)")
        }
        return PaginatorError(store: error.failure, "The store's file \(path) failed: \(error.message)")
    }
}
