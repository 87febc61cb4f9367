public import PaginatorCore

/// A store over any ``PageFile``: writes behind in groups, encodes and decodes, evicts.
///
/// Every call returns at once, and its answer comes on a thread of the library. A load sees every change handed over
/// before it, in the file or not. `accepted` comes late when too much waits; who goes on regardless loses pages, and is
/// told how many. What fails, is retried or dropped: see ``WriteBehindConfig`` and ``StoreFailure``.
///
/// Pages leave the file when the strategy says so: in the same commit that would pass a limit, so a limit
/// holds after every commit. A page older than the strategy's lifetime goes with the next commit; after a
/// restart it comes back as stale instead, since the wall clock may have been set meanwhile.
///
/// When its last reference goes, what waits is written without being waited for; ``flush(completion:)`` before.
public final class PageFileStore<T: Sendable>: PaginatorStore {
    let writeBehind: WriteBehind<T>

    /// Makes a store; the file is first touched by the first call.
    ///
    /// - Parameters:
    ///   - file: where the bytes are.
    ///   - codec: turns items into bytes.
    ///   - evictionStrategy: which pages stay, unless the paginator's config says otherwise; by default 100 MB of them,
    ///     chosen by the adaptive policy.
    ///   - config: how changes are collected and written.
    public init(
        file: any PageFile,
        codec: any PageCodec<T>,
        evictionStrategy: EvictionStrategy = .adaptive(maxBytes: 100_000_000),
        config: WriteBehindConfig = WriteBehindConfig()
    ) {
        writeBehind = WriteBehind(file: file, codec: codec, strategy: evictionStrategy, config: config)
    }

    deinit {
        // It keeps itself alive until what waits is written.
        writeBehind.feed(.close)
    }

    /// What the store has done so far.
    public var statistics: PageStoreStatistics { writeBehind.statistics }

    /// The number of changes that are not in the file yet.
    public var pendingChanges: Int { writeBehind.pendingChanges }

    /// The clock of the first paginator that it was given to, for the inspector.
    package var attachedClock: (any PaginatorClock)? { writeBehind.attachedClock }

    /// The engines of the paginators that use it, for the inspector.
    package var users: [ObjectIdentifier] { writeBehind.users }

    /// What there is, for the inspector.
    package var state: StateValue { writeBehind.stateValue }

    /// See ``/PaginatorCore/PaginatorStore/attach(to:)``.
    /// Takes the paginator's strategy, clock and listener; the first paginator's strategy and clock count, if it comes
    /// before any other call.
    public func attach(to environment: StoreEnvironment) {
        writeBehind.attach(to: environment)
    }

    /// See ``/PaginatorCore/PaginatorStore/load(_:completion:)``.
    /// Reads one page, with every change applied to it that was handed over before.
    public func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        writeBehind.feed(.load(identity, .load(completion)))
    }

    /// See ``/PaginatorCore/PaginatorStore/apply(_:accepted:)``.
    /// Takes changes; `accepted` is called when more may come, or says how many pages were not stored.
    public func apply(
        _ changes: [StoreChange<T>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        writeBehind.feed(.apply(changes, .done(accepted)))
    }

    /// See ``/PaginatorCore/PaginatorStore/flush(completion:)``.
    /// Commits what waits, so that it outlives a loss of power.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        writeBehind.feed(.flush(.done(completion)))
    }
}
