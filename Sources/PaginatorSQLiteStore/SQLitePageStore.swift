public import PaginatorCore
// An app names a codec and a write-behind configuration without an import, or a dependency, of its own for them.
@_exported public import PaginatorStorage

/// Keeps pages in a SQLite file.
///
/// ```swift
/// let store = try SQLitePageStore<Post>(path: folder + "/pages.sqlite", namespace: "feed")
/// let paginator = CallbackPaginator(dataSource: source, validator: validator, store: store)
/// ```
///
/// Several stores, of any item types, and several processes may share one file; each namespace is a store of its own,
/// with its own limits. Two stores on one namespace see each other's pages from the next commit on. A page that one of
/// them marks stale stays so when another one edits it. A page that two of them edit at once has the edit of the one that
/// wrote first, and is stale: the other one's source has to tell of it. An edit does not reach pages that another one has
/// saved since the store's own last commit. But a page that the other one's source was asked for before the
/// mark, and that is saved after it, is fresh: only the paginator that is told of an invalidation knows what it had asked
/// for before.
///
/// Nothing that was flushed is lost when the process is killed or the power fails; before a flush, a killed process loses
/// at most what waits (see `WriteBehindConfig.linger`). A damaged file is moved to the same path with `-damaged` added,
/// where an earlier one is replaced, and reported; a new one is started. A damaged page is removed and counts as not
/// stored. A full disk, a lost folder, another process that holds the file: fetches go on without the store, which is
/// tried again. After a flush the pages of a cleared scope, or of a cleared namespace, are gone from the
/// file, its free pages and its WAL. The name of a namespace stays, so it should name no user; use scopes for those.
///
/// On Apple's mobile systems the file is readable from the first unlock on and left out of backups, and no transaction
/// is open while the app is suspended. `PageFileStore` of `PaginatorStorage` tells how writes are grouped and pages
/// evicted.
public typealias SQLitePageStore<T: Sendable> = PageFileStore<T>

extension PageFileStore {
    /// Makes a store over a file, which the first call opens, or makes with its folder, on a thread of the library.
    ///
    /// It does no I/O and waits for nobody. Whatever keeps the file from being opened is an error of the first calls and is
    /// reported to the paginator's observer. A file of another application, or of a later version of this library, is left
    /// alone, and the store stays off. What may pass is tried again. A damaged file is set aside and reported.
    ///
    /// - Parameters:
    ///   - path: where the file is; `-wal`, `-shm`, `-lock` and `-damaged` are added for the files beside it.
    ///   - namespace: separates stores that share the file.
    ///   - codec: turns items into bytes.
    ///   - evictionStrategy: which pages stay, unless the paginator's config says otherwise; by default 100 MB of them,
    ///     chosen by the adaptive policy.
    ///   - config: how the store works.
    /// - Throws: an error with the code `storeFailed` when the path cannot be one: it is empty or contains a NUL.
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
    /// Makes a store over a file with the compact codec; see the initializer with a codec.
    ///
    /// - Parameters:
    ///   - path: where the file is.
    ///   - namespace: separates stores that share the file.
    ///   - version: the version of the item type's layout; see `CompactPageCodec`.
    ///   - evictionStrategy: which pages stay.
    ///   - config: how the store works.
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
