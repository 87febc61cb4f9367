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

/// Maintenance, which runs in parallel with writers where possible.
extension SQLiteFile {
    /// Records, within a transaction, that removed pages must leave no copies.
    func noteErasure(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run(.noteErasure)
        needsErasure = true
    }

    /// Checkpoints the WAL, erases removed pages and returns free space, outside the writers' path, now or later;
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
            // With its own connection, so that writers continue.
            let generation = generation
            if checkpointer?.generation != generation {
                checkpointer = try SQLiteConnection(
                    path: path, role: .checkpointer, vfs: vfs, busyTimeout: 100, generation: generation)
            }
            guard let checkpointer else { return }
            let activity = BackgroundActivity.begin(interrupting: checkpointer)
            defer { activity?.end() }
            // Copies as much as possible without waiting; the rest follows later.
            try checkpointer.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            try giveSpaceBack(checkpointer)
        } catch {
            // The WAL stays, and the next commit that finds it long schedules this again.
            checkpointer = nil
        }
    }

    /// Checkpoints a long WAL before another transaction extends it; `writing` is held.
    ///
    /// A WAL restarts only when all of it was copied. A writer without pauses extends it as fast as the checkpointer
    /// copies.
    func limitWAL(_ connection: SQLiteConnection) {
        let frames = connection.framesInWAL
        if frames < Self.mostFrames { frameLimit = Self.mostFrames }
        guard frames >= frameLimit else { return }
        do {
            try connection.checkpoint(SQLITE_CHECKPOINT_RESTART)
        } catch {
            // A reader blocks the copy. Writers wait again only after the same amount was written.
            frameLimit = frames + Self.mostFrames
        }
    }

    /// Runs `body` on the file in use, unless it was replaced; `writing` is held.
    private func maintain(_ body: (SQLiteConnection) -> Void) {
        guard let writer else { return }
        let activity = BackgroundActivity.begin(interrupting: writer)
        defer { activity?.end() }
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

    /// Removes the last copies of removed pages: a damaged file that was moved aside, the WAL, and rows that SQLite
    /// moved. The rows themselves were overwritten when they were removed. If it fails, it is tried again later.
    func erase(_ connection: SQLiteConnection) {
        for suffix in ["", "-wal"] { remove(path + "-damaged" + suffix) }
        needsErasure = true
        do {
            try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
            var mustRewrite = false
            let version = try transact(connection, false) { connection, _ throws(SQLiteError) -> Int64? in
                // Another process may have written since; then the file is not complete.
                guard isWALEmpty else { return nil }
                mustRewrite = try !connection.overwriteUnusedParts()
                guard !mustRewrite else { return nil }
                try connection.execute("UPDATE store SET erasure = 0", "note erasure")
                return try connection.dataVersion()
            }
            if mustRewrite { return try rewrite(connection) }
            // This connection's cache would write the old bytes again. Other connections drop theirs with the commit.
            connection.releaseMemory()
            (needsErasure, cleanVersion) = (version == nil, version)
        } catch {
            // Readers of another process, or a full disk: the note in the file leads to another attempt. But a later
            // version of the library that has the file now erases for itself.
            if error.refusal != nil { needsErasure = false }
        }
    }

    /// Rewrites the file, which leaves no copies but takes time in proportion to its size: for files with another page
    /// layout.
    private func rewrite(_ connection: SQLiteConnection) throws(SQLiteError) {
        let version = try connection.dataVersion()
        try connection.execute("VACUUM", "rewrite file")
        try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        // Last, because a process that dies before leaves old copies.
        try connection.execute("UPDATE store SET erasure = 0", "note erasure")
        connection.releaseMemory()
        (needsErasure, cleanVersion) = (false, version)
    }

    private var isWALEmpty: Bool {
        var info = stat()
        return stat(path + "-wal", &info) != 0 || info.st_size == 0
    }

    /// Returns whether most of the file is free, and enough to be worth the work.
    ///
    /// New pages use free space first, so this is for lowered limits, and for many expired or cleared pages.
    func isMostlyFree(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        let free = try freePages(connection)
        guard free >= Self.fewestFreePages else { return false }
        return try free > connection.number("PRAGMA page_count", "count pages") / 2
    }

    private func freePages(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.number("PRAGMA freelist_count", "count free pages")
    }

    /// Returns some of the free space, and the rest later, so that writers can run in between.
    private func giveSpaceBack(_ connection: SQLiteConnection) throws(SQLiteError) {
        let free = try freePages(connection)
        // In steps, because a writer waits for each, and a single one would take seconds in a large file. Once begun it
        // continues to the end, or until a step frees nothing, as in a file without a map of its pages.
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
                    // Another writer, or a full disk: the next step or the next opening tries again.
                }
            }
            scheduleMaintenance(after: .milliseconds(1))
        }
    }
}
