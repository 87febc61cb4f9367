public import PaginatorCore
// Lets an app name a codec or a write-behind configuration without another import or dependency.
@_exported public import PaginatorStorage

/// A store that keeps pages in a SQLite file.
///
/// ```swift
/// let store = try SQLitePageStore<Post>(path: folder + "/pages.sqlite", namespace: "feed")
/// let paginator = CallbackPaginator(dataSource: source, validator: validator, store: store)
/// ```
///
/// Several stores of any item types, and several processes, may share a file. Each namespace is a store of its own with
/// its own limits.
///
/// Two stores on one namespace see each other's pages when they read the file after a commit; a paginator still answers
/// from its own memory first, and a clear removes nothing from the memory of the other, nor what waits to be written
/// there. Of two pages, the one saved last stays, even if it was requested earlier. A page that one store marks stale
/// stays stale when the other edits it. If both edit a page at once, it has the edit of the first writer and is stale,
/// so that it is loaded again. If both make the same edit one after the other, it has it twice. An edit does not reach
/// pages that the other store has saved since this store's own last commit. A page that the other store saves after an
/// invalidation, but requested before it, is fresh: only the invalidated paginator knows which of its pages were
/// requested before.
///
/// Flushed pages survive a killed process and a power failure; on Apple's systems, whose SQLite does not wait for the
/// drive's cache, a power failure may lose the last ones, but the file stays sound. Before a flush, a killed process
/// loses at most what waits (see `WriteBehindConfig.linger`).
///
/// A damaged file is moved to its path with `-damaged` added, replacing an earlier one, and reported; a new file is
/// created. A damaged page is removed and counts as not stored. With a full disk, a removed folder or a file held by
/// another process, fetches continue without the store, which tries again.
///
/// After a flush, the pages of a cleared scope or namespace are gone from the file, its free pages and its WAL; while
/// another process reads the file, old copies stay in the WAL, and go some seconds after that. The name of a namespace
/// stays in the file, so it should identify no user; use scopes for that.
///
/// On Apple's mobile systems the file is readable from the first unlock on and excluded from backups, and no write
/// transaction is open while the app is suspended. See `PageFileStore` of `PaginatorStorage` for batching and eviction.
public typealias SQLitePageStore<T: Sendable> = PageFileStore<T>

extension PageFileStore {
    /// Creates a store over a file, which the first call opens, or creates with its folder, on a thread of the library.
    ///
    /// This initializer does no I/O and does not wait. If the file cannot be opened, the first calls fail, and the
    /// paginator's observer gets the error. A temporary failure is retried. A damaged file is set aside and reported. A
    /// file of another application, or of a later version of this library, is not touched, and the store stays off.
    ///
    /// - Parameters:
    ///   - path: the file's path; the files beside it add `-wal`, `-shm`, `-lock` and `-damaged`.
    ///   - namespace: separates stores that share the file.
    ///   - codec: encodes and decodes items.
    ///   - evictionStrategy: decides which pages stay, unless the paginator's config has a strategy; the adaptive
    ///     policy with 100 MB by default.
    ///   - config: the store's configuration.
    /// - Throws: an error with the code `storeFailed` if the path is empty or contains a NUL.
    public convenience init(
        path: String,
        namespace: String = "pages",
        codec: any PageCodec<T>,
        evictionStrategy: EvictionStrategy = .adaptive(maxBytes: 100_000_000),
        config: SQLiteStoreConfig = SQLiteStoreConfig()
    ) throws(PaginatorError) {
        let timeout = Int32(clamping: config.busyTimeout.wholeNanoseconds / 1_000_000)
        try SQLiteFile.check(path)
        let file = SQLitePageFile(
            path: path, vfs: config.vfs, busyTimeout: max(1, timeout), namespace: namespace,
            erasesClearedPages: config.erasesClearedPages)
        self.init(file: file, codec: codec, evictionStrategy: evictionStrategy, config: config.writeBehind)
    }
}

extension PageFileStore where T: Codable {
    /// Creates a store over a file with the compact codec; see the initializer with a codec.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - namespace: separates stores that share the file.
    ///   - version: the version of the item type's layout; see `CompactPageCodec`.
    ///   - evictionStrategy: decides which pages stay.
    ///   - config: the store's configuration.
    /// - Throws: as the initializer with a codec.
    public convenience init(
        path: String,
        namespace: String = "pages",
        version: Int = 1,
        evictionStrategy: EvictionStrategy = .adaptive(maxBytes: 100_000_000),
        config: SQLiteStoreConfig = SQLiteStoreConfig()
    ) throws(PaginatorError) {
        try self.init(
            path: path, namespace: namespace, codec: CompactPageCodec<T>(version: version),
            evictionStrategy: evictionStrategy, config: config)
    }
}
