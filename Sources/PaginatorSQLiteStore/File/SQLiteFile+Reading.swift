import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

extension SQLiteFile {
    /// Runs `body` with a connection that only reads; once more, if the file was replaced under it.
    ///
    /// It is compiled into its callers, so that what they read is made where it is to be.
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
                failure = ReadFailure(
                    error: mapped(error),
                    missedReplacement: error.code.primary == SQLITE_CANTOPEN || wasReplaced(since: start, error))
            }
            // Once: somebody who replaces the file again and again must not keep a reader for ever.
            guard failure.missedReplacement, !isSecond else { throw failure.error }
            isSecond = true
            // Until nobody replaces the file, which is not there for a moment then.
            writing.withLock {}
        }
    }

    struct ReadFailure {
        let error: PaginatorError
        /// Whether the file was not there, or is not the same any more.
        var missedReplacement = false
    }

    @inline(never)
    private func readFailed(_ error: SQLiteError, _ reader: SQLiteConnection) -> ReadFailure {
        if error.code.isDamage || hasLostSchema(reader, error) {
            return ReadFailure(error: replaceDamaged(error, generation: reader.generation))
        }
        // The connection is sound: a busy or interrupted statement leaves nothing behind.
        giveBack(reader)
        return ReadFailure(error: mapped(error), missedReplacement: wasReplaced(since: reader.generation, error))
    }

    @inline(never)
    private func wasReplaced(since start: UInt64, _ error: SQLiteError) -> Bool {
        // A file that is being made or taken away is cut short; whoever does that is not done before it is known.
        if error.code.primary == SQLITE_IOERR { writing.withLock {} }
        return generation != start
    }

    func takeReader() throws(SQLiteError) -> SQLiteConnection {
        // One of an earlier file is closed here.
        while let known = idle.take() {
            guard known.generation == generation else { continue }
            known.uses &+= 1
            // Another process may have replaced the file; a commit always sees that, a read sees it soon.
            if known.uses % 64 == 0, isReplaced() { continue }
            return known
        }
        let reader = try SQLiteConnection(
            path: path, role: .reader, vfs: vfs, busyTimeout: busyTimeout, generation: generation)
        try reader.execute(
            "PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA cache_size = -\(Self.readerCacheSize)",
            "set up reader")
        return reader
    }

    func giveBack(_ reader: SQLiteConnection) {
        // Otherwise it is closed here: it belongs to a file that is no longer in use.
        if reader.generation == generation { idle.put(reader) }
    }

    /// Whether another file is at the path than the one in use; then the readers are given up.
    private func isReplaced() -> Bool {
        guard let number = numberToRead.withLock({ $0 }), FileNumber(path: path) != number else { return false }
        // Of several who notice, one retires the readers: those of the new file must stay.
        let isFirst = numberToRead.withLock { known in
            guard known == number else { return false }
            known = nil
            return true
        }
        if isFirst { retireReaders() }
        return true
    }

    /// Whether a statement failed because the tables it needs are gone.
    func hasLostSchema(_ connection: SQLiteConnection, _ error: SQLiteError) -> Bool {
        guard [SQLITE_ERROR, SQLITE_SCHEMA].contains(error.code.primary) else { return false }
        do {
            if case .current = try SQLiteSchema.state(of: connection) { return false }
            return true
        } catch {
            return error.code.isDamage
        }
    }
}
