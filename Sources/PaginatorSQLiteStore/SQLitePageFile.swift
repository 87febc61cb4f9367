package import PaginatorCore
package import PaginatorStorage

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

/// The pages of one namespace in a database file.
package final class SQLitePageFile: SharedPageFile {
    private struct State {
        /// The namespace's id in the file of this generation.
        var namespace: (id: Int64, generation: UInt64)?
        /// The store's sequence after this object's last commit or recovery. Greater numbers are of other writers.
        var last = Sequence()
        /// The sequence up to which the changes of others are known.
        var watched = Sequence()
        /// Whether the file's totals were found to be wrong.
        var needsRecount = false
    }

    private struct Sequence {
        var number: Int64 = 0
        var generation: UInt64 = 0

        // In another file everything is new.
        func number(in generation: UInt64) -> Int64 { generation == self.generation ? number : -1 }
    }

    private static let numbers = AtomicWord()
    /// A unique number of this object in the process.
    private let number = numbers.add(1)
    private let path: String
    private let vfs: String?
    private let busyTimeout: Int32
    private let handle = Guarded<SQLiteFile?>(nil)
    private let name: String
    private let erasesClearedPages: Bool
    /// Mixed into every checksum, so that a row moved to another namespace by damage is detected.
    private let salt: UInt64
    private let state = Guarded(State())

    /// Creates an object for a file, which is opened or created with its folder when it is first needed.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - vfs: the name of a VFS; `nil` for the system's.
    ///   - busyTimeout: the time to wait for other processes, in milliseconds.
    ///   - namespace: separates the pages from others in the file.
    ///   - erasesClearedPages: whether removed pages are overwritten.
    package init(path: String, vfs: String?, busyTimeout: Int32, namespace: String, erasesClearedPages: Bool) {
        self.path = path
        self.vfs = vfs
        self.busyTimeout = busyTimeout
        name = namespace
        self.erasesClearedPages = erasesClearedPages
        salt = PageChecksum.value(of: namespace)
    }

    private func file() throws(PaginatorError) -> SQLiteFile {
        if let known = handle.withLock({ $0 }) { return known }
        return try firstFile()
    }

    @inline(never)
    private func firstFile() throws(PaginatorError) -> SQLiteFile {
        // Without the lock, because it creates the folder and may take long. The registry returns the same file to all
        // callers.
        let file = try SQLiteFile.shared(path: path, vfs: vfs, busyTimeout: busyTimeout)
        if erasesClearedPages { file.overwritesRemoved.value = 1 }
        file.writers.add(number, of: name)
        return handle.withLock { known in
            // Another call may have been faster.
            if let known { return known }
            known = file
            return file
        }
    }

    deinit {
        handle.withLock { $0 }?.writers.remove(number)
    }

    // MARK: - Reading

    package func read(_ identity: PageIdentity) throws(PaginatorError) -> PageRecord? {
        try file().read { connection throws(SQLiteError) -> PageRecord? in
            guard let namespace = try namespace(in: connection, connection.generation) else { return nil }
            let statement = try connection.prepared(.read)
            defer { statement.reset() }
            try statement.bind(namespace, identity)
            return try statement.step() ? record(identity, statement) : nil
        }
    }

    private func record(_ identity: PageIdentity, _ row: borrowing SQLiteStatement) -> PageRecord {
        let isStale = row.int64(8) != 0
        return PageRecord(
            identity: identity, prevKey: row.text(0), nextKey: row.text(1),
            expirationTime: row.isNull(2) ? nil : Date(bits: row.int64(2)), fetchedAt: Date(bits: row.int64(3)),
            itemCount: row.int(4), memoryBytes: row.int(5),
            // A missing or invalid name is damage, which the checksum finds.
            codec: PageCodecTag(name: row.text(6) ?? "", version: row.int(7)), content: row.bytes(10),
            revision: row.text(11), tags: row.tags(12), total: row.isNull(13) ? nil : row.int(13),
            isInvalidated: isStale, checksum: UInt64(bitPattern: row.int64(9)) ^ salt)
    }

    private func namespace(in connection: SQLiteConnection, _ generation: UInt64) throws(SQLiteError) -> Int64? {
        if let known = state.withLock({ $0.namespace }), known.generation == generation { return known.id }
        let statement = try connection.prepared(.findNamespace)
        defer { statement.reset() }
        try statement.bind(1, copy: name)
        guard try statement.step() else { return nil }
        let id = statement.int64(0)
        // Not inside a transaction, which may be rolled back.
        if !connection.isInTransaction { state.withLock { $0.namespace = (id, generation) } }
        return id
    }

    // MARK: - Recovery

    package func recover() throws(PaginatorError) -> [RecordFacts] {
        let file = try file()
        let found = try file.read { connection throws(SQLiteError) in
            // The transaction locks the file for as long as all facts take.
            let activity = BackgroundActivity.begin(interrupting: nil)
            defer { activity?.end() }
            // One transaction, so that facts, totals and sequence belong together.
            try connection.execute("BEGIN", "begin recovery")
            defer {
                // It wrote nothing. If the rollback fails, closing the connection ends the transaction.
                do { try connection.run(.rollback) } catch {}
            }
            let sequence = try connection.number("SELECT sequence FROM store", "read sequence")
            guard let namespace = try namespace(in: connection, connection.generation) else {
                return (facts: [RecordFacts](), sequence: sequence, isWrong: false, generation: connection.generation)
            }
            let statement = try connection.prepared(.facts)
            defer { statement.reset() }
            try statement.bind(1, namespace)
            let facts = try self.facts(statement)
            var counted = PageUsage(pages: facts.count)
            for fact in facts {
                // Damaged sizes may add up to more than an integer holds.
                counted.items &+= fact.items
                counted.bytes &+= fact.bytes
            }
            return (facts, sequence, try usage(of: namespace, in: connection) != counted, connection.generation)
        }
        file.writers.found(found.sequence, generation: found.generation)
        state.withLock { state in
            state.last = Sequence(number: found.sequence, generation: found.generation)
            state.watched = state.last
            state.needsRecount = found.isWrong
        }
        return found.facts
    }

    package func changesOfOthers() throws(PaginatorError) -> [RecordFacts] {
        let file = try file()
        let watched = state.withLock { $0.watched }
        let asked = file.writers.ask(number)
        do throws(PaginatorError) {
            let found = try file.read { connection throws(SQLiteError) in
                // So that the process is not suspended while it holds the file.
                let activity = BackgroundActivity.begin(interrupting: nil)
                defer { activity?.end() }
                let sequence = try connection.number("SELECT sequence FROM store", "read sequence")
                // Only this process has written, and only other pages, so nothing has changed.
                guard asked.isTold || asked.sequence != sequence || asked.generation != connection.generation,
                    let namespace = try namespace(in: connection, connection.generation)
                else { return (facts: [RecordFacts](), sequence: sequence, generation: connection.generation) }
                let statement = try connection.prepared(.changed)
                defer { statement.reset() }
                try statement.bind(1, namespace)
                try statement.bind(2, watched.number(in: connection.generation))
                return (try facts(statement), sequence, connection.generation)
            }
            state.withLock { $0.watched = Sequence(number: found.sequence, generation: found.generation) }
            return found.facts
        } catch {
            if asked.isTold { file.writers.tell(number) }
            throw error
        }
    }

    private func facts(_ statement: SQLiteStatement) throws(SQLiteError) -> [RecordFacts] {
        var facts: [RecordFacts] = []
        while try statement.step() {
            let identity = PageIdentity(
                key: statement.text(1) ?? "", pageSize: statement.int(2), scope: statement.text(0) ?? "")
            var fact = RecordFacts(
                identity: identity, bytes: statement.int(3), items: statement.int(4), uses: statement.int(5),
                savedAt: Date(bits: statement.int64(6)), saveOrder: statement.int(7), useOrder: statement.int(8))
            fact.firstSaveOrder = statement.int(9)
            facts.append(fact)
        }
        return facts
    }

    private func usage(of namespace: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> PageUsage {
        let statement = try connection.prepared(.usage)
        defer { statement.reset() }
        try statement.bind(1, namespace)
        guard try statement.step() else { return PageUsage() }
        // They have no checksum, so damage may have changed them. Wrong totals are counted again after a restart.
        func total(_ column: Int32) -> Int { max(0, statement.int(column)) }
        return PageUsage(pages: total(0), items: total(1), bytes: total(2))
    }

    // MARK: - Writing

    package func commit(_ changes: [RecordChange], durably: Bool) throws(PaginatorError) {
        try commit(changes, durably: durably) { _, _ in [] }
    }

    package func commit(
        _ changes: [RecordChange],
        durably: Bool,
        victims: (PageUsage, [RecordFacts]) -> [PageIdentity]
    ) throws(PaginatorError) {
        let file = try file()
        let before = state.withLock { (namespace: $0.namespace, last: $0.last, isWrong: $0.needsRecount) }
        let written = try file.write(durably: durably) { connection, generation throws(SQLiteError) in
            // An id of another generation belongs to a removed file.
            let known =
                if let namespace = before.namespace, namespace.generation == generation {
                    Optional(namespace.id)
                } else {
                    try self.namespace(in: connection, generation)
                }
            let namespace: Int64 = if let known { known } else { try self.addNamespace(to: connection) }
            var writer = SQLiteBatch(
                connection: connection, namespace: namespace, salt: salt, sequence: try self.sequence(connection))
            let start = writer.sequence
            for change in changes { try writer.apply(change) }
            // Only now, because damaged rows that go with the changes are no part of the totals.
            if before.isWrong { try self.recount(namespace, connection) }
            var newcomers: [RecordFacts] = []
            // Others have written since: the evictor must know their pages before it chooses victims, but not those
            // that these changes have removed.
            let last = before.last.number(in: generation)
            if start != last { newcomers = try self.newcomers(from: last, to: start, namespace, connection) }
            // Repeated until there are none: each removal changes the totals, and these include other stores' pages.
            while true {
                let named = victims(try usage(of: namespace, in: connection), newcomers)
                newcomers = []
                if named.isEmpty { break }
                for victim in named { try writer.apply(.remove(.identity(victim))) }
            }
            // In the same transaction, so that no number is used twice after a crash.
            if writer.sequence != start { try writer.writeSequence() }
            // Pages of the scope may have been removed one by one earlier, here or by another process, and their bytes
            // still be in free space, so a clear erases them even if it removes no row.
            if writer.hasRemoved { file.cleanVersion = nil }
            if writer.hasCleared, file.overwritesRemoved.value != 0, try connection.dataVersion() != file.cleanVersion {
                try file.noteErasure(connection)
            }
            // Even without other changes, because the commit makes earlier ones durable.
            if durably { try connection.run(.noteFlush) }
            return (namespace: namespace, start: start, sequence: writer.sequence, generation: generation)
        }
        file.writers.wrote(
            number, name, from: written.start, to: written.sequence, generation: written.generation)
        // After the commit, because a rolled back transaction adds no namespace and no sequence.
        state.withLock { state in
            state.namespace = (written.namespace, written.generation)
            state.last = Sequence(number: written.sequence, generation: written.generation)
            state.needsRecount = false
        }
    }

    private func addNamespace(to connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        try connection.run(.addNamespace) { statement throws(SQLiteError) in try statement.bind(1, copy: name) }
        return try connection.number("SELECT last_insert_rowid()", "read namespace")
    }

    private func sequence(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let statement = try connection.prepared(.sequence)
        defer { statement.reset() }
        // Half of the range, so that the numbers after a damaged one cannot overflow.
        guard try statement.step(), (0..<Int64.max / 2).contains(statement.int64(0)) else {
            throw SQLiteError(
                code: SQLiteCode(raw: SQLITE_CORRUPT), message: "The sequence is out of range.",
                operation: "sequence")
        }
        return statement.int64(0)
    }

    private func newcomers(
        from last: Int64,
        to start: Int64,
        _ namespace: Int64,
        _ connection: SQLiteConnection
    ) throws(SQLiteError) -> [RecordFacts] {
        let statement = try connection.prepared(.newcomers)
        defer { statement.reset() }
        try statement.bind(1, namespace)
        try statement.bind(2, last)
        try statement.bind(3, start)
        return try facts(statement)
    }

    private func recount(_ namespace: Int64, _ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.run(.recount) { statement throws(SQLiteError) in try statement.bind(1, namespace) }
    }
}

extension Date {
    /// Creates the time whose seconds since 2001 have these bits.
    fileprivate init(bits: Int64) {
        self.init(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(bitPattern: bits)))
    }
}
