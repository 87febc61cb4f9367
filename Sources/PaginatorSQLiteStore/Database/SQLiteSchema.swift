import PaginatorCore

/// The tables, their creation and their migration.
enum SQLiteSchema {
    /// "PgTr" in ASCII: identifies files of this library.
    static let applicationID: Int64 = 0x5067_5472
    /// The schema's version, in `user_version`.
    static let version: Int64 = 6

    /// Each statement's text is compared with the file's, so that a damaged schema is found on opening.
    ///
    /// Times are the bits of seconds since 2001 as integers, because SQLite would change some REAL values. Tags are
    /// separated and surrounded by zero bytes, so that a tag is found by its bytes. `id`, `inserted`, `used` and
    /// `save_order` are numbers from the store's `sequence`, so later rows have greater ids. `id` is that of the first
    /// save, `inserted` that of the last save or edit, and `save_order` that of the last save if an edit came after
    /// it. Triggers update the totals of a namespace for every writer.
    static let statements: [(name: String, sql: String)] = [
        (
            "namespaces",
            """
            CREATE TABLE namespaces (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, pages INTEGER NOT NULL DEFAULT 0, \
            items INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0)
            """
        ),
        (
            "pages",
            """
            CREATE TABLE pages (id INTEGER PRIMARY KEY, namespace INTEGER NOT NULL, scope TEXT NOT NULL, \
            key TEXT NOT NULL, page_size INTEGER NOT NULL, prev_key TEXT, next_key TEXT, expires INTEGER, \
            fetched INTEGER NOT NULL, saved INTEGER NOT NULL, items INTEGER NOT NULL, memory INTEGER NOT NULL, \
            bytes INTEGER NOT NULL, codec TEXT NOT NULL, version INTEGER NOT NULL, stale INTEGER NOT NULL, \
            checksum INTEGER NOT NULL, inserted INTEGER NOT NULL, used INTEGER NOT NULL, uses INTEGER NOT NULL, \
            content BLOB NOT NULL, revision TEXT, tags BLOB, total INTEGER, save_order INTEGER)
            """
        ),
        (
            "pages_added",
            """
            CREATE TRIGGER pages_added AFTER INSERT ON pages BEGIN UPDATE namespaces SET pages = pages + 1, \
            items = items + new.items, bytes = bytes + new.bytes WHERE id = new.namespace; END
            """
        ),
        (
            "pages_changed",
            """
            CREATE TRIGGER pages_changed AFTER UPDATE OF items, bytes ON pages BEGIN UPDATE namespaces SET \
            items = items + new.items - old.items, bytes = bytes + new.bytes - old.bytes WHERE id = new.namespace; END
            """
        ),
        ("pages_identity", "CREATE UNIQUE INDEX pages_identity ON pages (namespace, scope, key, page_size)"),
        // For clearing a key in every size and scope: the index of identities does not begin with the key.
        ("pages_key", "CREATE INDEX pages_key ON pages (namespace, key)"),
        (
            "pages_removed",
            """
            CREATE TRIGGER pages_removed AFTER DELETE ON pages BEGIN UPDATE namespaces SET pages = pages - 1, \
            items = items - old.items, bytes = bytes - old.bytes WHERE id = old.namespace; END
            """
        ),
        // Only for pages with tags, so that other pages cost nothing.
        ("pages_tags", "CREATE INDEX pages_tags ON pages (namespace, tags) WHERE tags IS NOT NULL"),
        (
            "store",
            "CREATE TABLE store (sequence INTEGER NOT NULL, flushes INTEGER NOT NULL, erasure INTEGER NOT NULL)"
        ),
    ]

    enum State {
        case empty, current, older(Int64), newer(Int64), foreign, damaged

        /// Why the file must not be touched, if so.
        var refusal: SQLiteError? {
            switch self {
            case .newer(let version):
                SQLiteError(refusal: .newer, "It was written by a later version of the library (\(version)).")
            case .foreign: SQLiteError(refusal: .foreign, "It belongs to another application.")
            case .empty, .current, .older, .damaged: nil
            }
        }
    }

    /// Returns the state of the file.
    static func state(of connection: SQLiteConnection) throws(SQLiteError) -> State {
        let application = try connection.number("PRAGMA application_id", "read application id")
        let version = try connection.number("PRAGMA user_version", "read version")
        let found = try connection.texts(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name",
            "read schema")
        // All three: a file with a version but without tables has lost its tables.
        if found.isEmpty, application == 0, version == 0 { return .empty }
        guard application == applicationID else {
            // With tables of this library, the header is damaged. As a foreign file it would never be replaced.
            return (1...Self.version).contains { found == tables(ofVersion: $0) } ? .damaged : .foreign
        }
        if version > Self.version { return .newer(version) }
        guard version >= 1, found == tables(ofVersion: version) else { return .damaged }
        return version == Self.version ? .current : .older(version)
    }

    private static func tables(ofVersion version: Int64) -> [String] {
        statements.filter { version >= 4 || $0.name != "pages_tags" }.map { statement in
            var sql = version >= 6 ? statement.sql : statement.sql.replacing(", save_order INTEGER", with: "")
            if version < 5 { sql = sql.replacing(", total INTEGER", with: "") }
            if version < 4 { sql = sql.replacing(", tags BLOB", with: "") }
            return version >= 2 ? sql : sql.replacing(", revision TEXT", with: "")
        }
    }

    /// Creates the tables in an empty file.
    static func create(in connection: SQLiteConnection) throws(SQLiteError) {
        for statement in statements { try connection.execute(statement.sql, "create \(statement.name)") }
        try connection.execute("INSERT INTO store VALUES (0, 0, 0)", "create store")
        try connection.execute("PRAGMA application_id = \(applicationID)", "set application id")
        // Last, so that a file with a version has all its tables.
        try connection.execute("PRAGMA user_version = \(version)", "set version")
    }

    /// The migrations from each earlier version to the next.
    ///
    /// Version 1 is the first; a lower one is damage. Version 2 added revisions. Version 3 changed the checksums, so
    /// earlier pages look damaged. Version 4 added tags, version 5 totals, version 6 the order of saves.
    static let migrations: [Int64: @Sendable (SQLiteConnection) throws(SQLiteError) -> Void] = [
        1: { connection throws(SQLiteError) in
            try connection.execute("ALTER TABLE pages ADD COLUMN revision TEXT", "add revision")
        },
        2: { connection throws(SQLiteError) in
            try connection.execute("DELETE FROM pages", "remove pages with earlier checksums")
        },
        3: { connection throws(SQLiteError) in
            try connection.execute("ALTER TABLE pages ADD COLUMN tags BLOB", "add tags")
            for statement in statements where statement.name == "pages_tags" {
                try connection.execute(statement.sql, "create \(statement.name)")
            }
        },
        4: { connection throws(SQLiteError) in
            try connection.execute("ALTER TABLE pages ADD COLUMN total INTEGER", "add total")
        },
        5: { connection throws(SQLiteError) in
            try connection.execute("ALTER TABLE pages ADD COLUMN save_order INTEGER", "add save order")
        },
    ]
}
