public import PaginatorStorage

/// How a ``SQLitePageStore`` works. Every variable has a default, stated with it.
public struct SQLiteStoreConfig: Sendable {
    /// How changes are collected and written; see `WriteBehindConfig`.
    public var writeBehind = WriteBehindConfig()

    /// How long one transaction, or the opening of the file, waits for another process, 5 seconds by default; then it is
    /// tried again. The first store that opens a file in a process decides for all. No caller waits for it.
    public var busyTimeout: Duration = .seconds(5)

    /// Whether pages that go are overwritten, in the database and its free pages, and clearing a scope or everything also
    /// empties the WAL, at the next flush or about a second later; true by default. One store that wants it decides for all
    /// on the file. It takes work in proportion to what goes, and reads the file once.
    public var erasesClearedPages = true

    /// The SQLite VFS to use; tests bring their own.
    var vfs: String?

    /// Makes a configuration with every default.
    public init() {}
}
