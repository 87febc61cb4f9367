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
            if needsErasure { maintain(erase) }
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
            // It copies what it can and waits for nobody: there will be another chance.
            try checkpointer.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            try giveSpaceBack(checkpointer)
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

    /// Runs `body` on the file in use, unless it was replaced; `writing` is held.
    private func maintain(_ body: (SQLiteConnection) -> Void) {
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

    /// Takes away the last copies of what was removed: a file that was set aside, the WAL, and what SQLite left of rows that
    /// it moved. The rows themselves were overwritten when they went. It stays to be done when it fails.
    func erase(_ connection: SQLiteConnection) {
        for suffix in ["", "-wal"] { remove(path + "-damaged" + suffix) }
        needsErasure = true
        do {
            try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
            var mustRewrite = false
            let isDone = try transact(connection, false) { connection, _ throws(SQLiteError) in
                // Another process may have written since; then it is not all in the file.
                guard isWALEmpty else { return false }
                mustRewrite = try !connection.overwriteUnusedParts()
                guard !mustRewrite else { return false }
                try connection.execute("UPDATE store SET erasure = 0", "note erasure")
                return true
            }
            if mustRewrite { return try rewrite(connection) }
            // This connection would write the old parts again; what others remember ends with the commit.
            connection.releaseMemory()
            needsErasure = !isDone
        } catch {
            // Readers of another process, or no room: the note in the file brings it back.
        }
    }

    /// Writes the file anew, which leaves copies of nothing but takes as long as the file is large: for one whose pages are
    /// not laid out as usual.
    private func rewrite(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.execute("VACUUM", "rewrite file")
        try connection.execute("UPDATE store SET erasure = 0", "note erasure")
        try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        connection.releaseMemory()
        needsErasure = false
    }

    private var isWALEmpty: Bool {
        var info = stat()
        return stat(path + "-wal", &info) != 0 || info.st_size == 0
    }

    /// Whether more of the file is free than not, and enough to be worth the work.
    ///
    /// Pages that come use free space first, so this is for limits that were lowered, and for much that expired or was
    /// cleared.
    func isMostlyFree(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        let free = try freePages(connection)
        guard free >= Self.fewestFreePages else { return false }
        return try free > connection.number("PRAGMA page_count", "count pages") / 2
    }

    private func freePages(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.number("PRAGMA freelist_count", "count free pages")
    }

    /// Gives a piece of free space back, and the others later, so that writers come in between.
    private func giveSpaceBack(_ connection: SQLiteConnection) throws(SQLiteError) {
        let free = try freePages(connection)
        // In steps, since a writer waits for each, and one for all of a large file would take seconds.
        // Once begun it goes on to the end, and ends where a step frees nothing: in a file that keeps no map of its pages.
        let isWanted = if let freeBefore { free > 0 && free < freeBefore } else { try isMostlyFree(connection) }
        freeBefore = nil
        guard isWanted else { return }
        freeBefore = free
        writing.withLock {
            maintain { writer in
                do {
                    try writer.execute("PRAGMA incremental_vacuum(\(Self.pagesPerStep))", "give space back")
                    limitWAL(writer)
                } catch {
                    // Somebody else writes, or there is no room: the next step tries again, or the next opening.
                }
            }
            scheduleMaintenance(after: .milliseconds(1))
        }
    }
}
