public import PaginatorStorage

/// The configuration of a ``SQLitePageStore``. Each variable documents its default.
public struct SQLiteStoreConfig: Sendable {
    /// How changes are batched and written; see `WriteBehindConfig`.
    public var writeBehind = WriteBehindConfig()

    /// The time that a transaction, or opening the file, waits for another process before it is retried; 5 seconds by
    /// default. The first store that opens a file in a process decides for all. No call blocks for it, but
    /// a read is answered later while the file is opened or an edit of its page is written. If another process may hold
    /// the file for long, set less than the paginator's `storeTimeout`, so that such a page is found in time.
    public var busyTimeout: Duration = .seconds(5)

    /// Whether removed pages are overwritten in the database and its free pages; true by default. Clearing a scope or
    /// everything then also empties the WAL, at the next flush or about a second later. If one store on the file wants
    /// it, it applies to all. The cost is proportional to what is removed, plus one read of the file.
    public var erasesClearedPages = true

    /// The SQLite VFS to use, for tests.
    var vfs: String?

    /// Creates a configuration with the default values.
    public init() {}
}
