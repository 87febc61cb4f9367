import Dispatch
import PaginatorCore

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

/// What is done off the writers' path.
extension SQLiteFile {
    /// Notes, within a transaction, that removed pages must leave no trace.
    func noteErasure(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run(.noteErasure)
        needsErasure = true
    }

    /// Copies the WAL back, erases what is to be erased and gives free space back, off the writers' path, at once or later;
    /// `writing` is held.
    func scheduleMaintenance(after delay: DispatchTimeInterval? = nil) {
        guard !isMaintenanceDue else { return }
        isMaintenanceDue = true
        let work: @Sendable () -> Void = { [weak self] in self?.maintain() }
        if let delay {
            maintenance.asyncAfter(deadline: .now() + delay, execute: work)
        } else {
            maintenance.async(execute: work)
        }
    }

    func maintain() {
        let isOpen = writing.withLock {
            isMaintenanceDue = false
            if needsErasure { rewrite(erase) }
            return writer != nil
        }
        guard isOpen else { return }
        do {
            // A connection of its own, so that writers go on meanwhile.
            let generation = generation
            if checkpointer?.generation != generation {
                checkpointer = try SQLiteConnection(
                    path: path, role: .checkpointer, vfs: vfs, busyTimeout: 100, generation: generation)
            }
            guard let checkpointer else { return }
            try checkpointer.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            if mayCompact, try isMostlyFree(checkpointer) { writing.withLock { rewrite(compact) } }
        } catch {
            // The WAL stays as it is, and the next commit that finds it long asks again.
            checkpointer = nil
        }
    }

    /// Copies a long WAL back before another transaction makes it longer; `writing` is held.
    ///
    /// A WAL begins anew when all of it was copied back. Who writes without a pause adds to it as fast as the checkpointer
    /// copies.
    func limitWAL(_ connection: SQLiteConnection) {
        let frames = connection.framesInWAL
        if frames < Self.mostFrames { frameLimit = Self.mostFrames }
        guard frames >= frameLimit else { return }
        do {
            try connection.checkpoint(SQLITE_CHECKPOINT_RESTART)
        } catch {
            // Somebody reads and does not end. Writers do not wait for that again until as much more was written.
            frameLimit = frames + Self.mostFrames
        }
    }

    /// Rewrites the file, unless it was replaced; `writing` is held.
    private func rewrite(_ body: (SQLiteConnection) -> Void) {
        guard let writer else { return }
        do {
            try sideLock.take(.shared)
        } catch {
            return scheduleMaintenance(after: .seconds(1))
        }
        defer { sideLock.release() }
        guard FileNumber(path: path) == number else { return }
        body(writer)
        if needsErasure { scheduleMaintenance(after: .seconds(5)) }
    }

    /// Rewrites the file without what was removed, and empties the WAL. It stays to be done when it fails.
    func erase(_ connection: SQLiteConnection) {
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

    /// Whether more of the file is free than not, and enough to rewrite the rest for it.
    ///
    /// Pages that come use free space first, so this is for limits that were lowered, and for much that expired. It costs
    /// nothing until then, while SQLite's `auto_vacuum` costs an eighth of every write.
    func isMostlyFree(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        let free = try connection.number("PRAGMA freelist_count", "count free pages")
        guard free >= Self.fewestFreePages else { return false }
        return try free > connection.number("PRAGMA page_count", "count pages") / 2
    }

    private func compact(_ connection: SQLiteConnection) {
        do {
            try connection.execute("PRAGMA auto_vacuum = NONE; VACUUM", "compact")
            try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        } catch {
            // Readers of another process, or no room: it is tried again when the file is opened next.
            mayCompact = false
        }
    }
}
