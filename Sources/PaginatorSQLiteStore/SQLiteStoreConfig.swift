public import PaginatorCore

/// How a ``SQLitePageStore`` works. Every variable has a default, stated with it.
public struct SQLiteStoreConfig: Sendable {
    /// How changes are collected and written; see `WriteBehindConfig`.
    public var writeBehind = WriteBehindConfig()

    /// How long one transaction waits for another process, 5 seconds by default; then it is tried again. The first store
    /// that opens a file in a process decides for all.
    public var busyTimeout: Duration = .seconds(5)

    /// Whether clearing a scope or everything also overwrites what was there, in the database, its free pages and the
    /// WAL; true by default. It rewrites the file, at the next flush or about a second later, off the callers' path.
    public var erasesClearedPages = true

    /// The SQLite VFS to use; tests bring their own.
    package var vfs: String?

    /// Makes a configuration with every default.
    public init() {}
}
