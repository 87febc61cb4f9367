import PaginatorCore

#if canImport(SQLite3)
    import SQLite3
#else
    import CSQLite
#endif

extension SQLiteFile {
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
        try reader.execute("PRAGMA query_only = 1; PRAGMA cell_size_check = 1", "set up reader")
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
