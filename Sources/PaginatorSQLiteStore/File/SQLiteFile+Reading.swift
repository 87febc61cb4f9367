import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

extension SQLiteFile {
    /// Runs `body` with a reading connection, and again if the file was replaced meanwhile.
    ///
    /// Inlined into its callers, so that the result is created in place.
    func read<R>(_ body: (SQLiteConnection) throws(SQLiteError) -> R) throws(PaginatorError) -> R {
        try open()
        var isSecond = false
        while true {
            let failure: ReadFailure
            let start = generation
            do throws(SQLiteError) {
                let reader = try takeReader()
                do throws(SQLiteError) {
                    let result = try body(reader)
                    giveBack(reader)
                    return result
                } catch {
                    failure = readFailed(error, reader)
                }
            } catch {
                failure = openFailed(error, start)
            }
            // Only once, so that a file that is replaced again and again does not keep a reader forever.
            guard failure.missedReplacement, !isSecond else { throw failure.error }
            isSecond = true
            // Waits for the replacement, during which the file is missing for a moment.
            writing.withLock {}
        }
    }

    struct ReadFailure {
        let error: PaginatorError
        /// Whether the file was missing, or has been replaced.
        var missedReplacement = false
    }

    @inline(never)
    private func readFailed(_ error: SQLiteError, _ reader: SQLiteConnection) -> ReadFailure {
        let (error, isDamage) = cause(of: error, reader)
        if isDamage { return replaceDamaged(error, generation: reader.generation) }
        // The connection is usable: a busy or interrupted statement leaves nothing behind.
        giveBack(reader)
        return ReadFailure(error: mapped(error), missedReplacement: wasReplaced(since: reader.generation, error))
    }

    @inline(never)
    private func openFailed(_ error: SQLiteError, _ start: UInt64) -> ReadFailure {
        // A new connection may be the first to read a damaged page.
        if error.code.isDamage { return replaceDamaged(error, generation: start) }
        return ReadFailure(
            error: mapped(error),
            missedReplacement: error.code.primary == SQLITE_CANTOPEN || wasReplaced(since: start, error))
    }

    @inline(never)
    private func wasReplaced(since start: UInt64, _ error: SQLiteError) -> Bool {
        // A file that is being created or removed may be truncated; wait until that is done.
        if error.code.primary == SQLITE_IOERR { writing.withLock {} }
        return generation != start
    }

    func takeReader() throws(SQLiteError) -> SQLiteConnection {
        // A connection to an earlier file is closed here.
        while let known = idle.take() {
            guard known.generation == generation else { continue }
            known.uses &+= 1
            // Another process may have replaced the file. A commit always notices that, a read after a while.
            if known.uses % 64 == 0, isReplaced() { continue }
            return known
        }
        if numberToRead.withLock({ $0 }) == nil {
            // Before the file is opened: of a file that replaces it in between, the number differs.
            let number = FileNumber(path: path)
            numberToRead.withLock { known in if known == nil { known = number } }
        }
        let reader = try SQLiteConnection(
            path: path, role: .reader, vfs: vfs, busyTimeout: busyTimeout, generation: generation)
        try reader.execute(
            "PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA cache_size = -\(Self.readerCacheSize)",
            "set up reader")
        return reader
    }

    func giveBack(_ reader: SQLiteConnection) {
        // Otherwise it is closed here, because its file is no longer in use.
        if reader.generation == generation { idle.put(reader) }
    }

    /// Returns whether another file is at the path; then the readers of the old one are dropped.
    private func isReplaced() -> Bool {
        let number = numberToRead.withLock { $0 }
        guard FileNumber(path: path) != number else { return false }
        // Only the first to notice discards the readers; those of the new file must stay.
        let isFirst = numberToRead.withLock { known in
            guard known == number else { return false }
            known = nil
            return true
        }
        if isFirst { discardReaders() }
        return true
    }

    /// Why a statement failed, and whether the file is damaged: its tables may be gone, or a later version of the library
    /// may have brought them up to date meanwhile.
    func cause(of failure: SQLiteError, _ connection: SQLiteConnection) -> (error: SQLiteError, isDamage: Bool) {
        guard [SQLITE_ERROR, SQLITE_SCHEMA].contains(failure.code.primary) else {
            return (failure, failure.code.isDamage)
        }
        do {
            let state = try SQLiteSchema.state(of: connection)
            if let refusal = state.refusal { return (refusal, false) }
            if case .current = state { return (failure, false) }
            return (failure, true)
        } catch {
            return (failure, error.code.isDamage)
        }
    }
}
