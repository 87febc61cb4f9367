import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

extension SQLiteFile {
    /// Runs `body` with a connection that only reads; once more, if the file was replaced under it.
    func read<R>(_ body: (SQLiteConnection) throws(SQLiteError) -> R) throws(PaginatorError) -> R {
        var missedReplacement = false
        do {
            return try attempt(body, &missedReplacement)
        } catch {
            guard missedReplacement else { throw error }
        }
        // Until nobody replaces the file, which is not there for a moment then.
        writing.withLock {}
        return try attempt(body, &missedReplacement)
    }

    /// - Parameter missedReplacement: becomes `true` when the file was not there, or is not the same any more.
    private func attempt<R>(
        _ body: (SQLiteConnection) throws(SQLiteError) -> R, _ missedReplacement: inout Bool
    ) throws(PaginatorError) -> R {
        let reader: SQLiteConnection
        do {
            reader = try takeReader()
        } catch {
            missedReplacement = error.code.primary == SQLITE_CANTOPEN
            throw mapped(error)
        }
        let error: SQLiteError
        do {
            let result = try body(reader)
            giveBack(reader)
            return result
        } catch let failure {
            error = failure
        }
        if error.code.isDamage || hasLostSchema(reader, error) {
            throw replaceDamaged(error, generation: reader.generation)
        }
        giveBack(reader)
        missedReplacement = reader.generation != generation
        throw mapped(error)
    }

    func takeReader() throws(SQLiteError) -> SQLiteConnection {
        let (known, generation) = reading.withLock { readers in
            readers.count &+= 1
            // Another process may have replaced the file; a commit always sees that, a read sees it soon.
            if readers.count % 64 == 0, let number = readers.number, FileNumber(path: path) != number {
                readers.generation += 1
                readers.idle = []
                readers.number = nil
            }
            return (readers.idle.popLast(), readers.generation)
        }
        if let known { return known }
        let reader = try SQLiteConnection(
            path: path, role: .reader, vfs: vfs, busyTimeout: busyTimeout, generation: generation)
        try reader.execute(
            "PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA cache_size = -\(Self.readerCacheSize)",
            "set up reader")
        return reader
    }

    func giveBack(_ reader: SQLiteConnection) {
        // Otherwise it is closed here: it belongs to a file that is no longer in use.
        reading.withLock { readers in
            guard reader.generation == readers.generation, readers.idle.count < Self.maxIdleReaders else { return }
            readers.idle.append(reader)
        }
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
