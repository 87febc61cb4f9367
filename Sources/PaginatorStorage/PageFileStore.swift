public import PaginatorCore

/// A store over any ``PageFile``, with write-behind in batches, encoding, decoding and eviction.
///
/// Every method returns at once, and answers on a thread of the library. A load sees all earlier changes, written or
/// not. `accepted` is delayed while too many changes wait. A caller that does not wait for it loses pages; `accepted`
/// reports their number. Failures are retried or dropped; see ``WriteBehindConfig`` and ``StoreFailure``.
///
/// Pages are evicted in the commit that would exceed a limit, so limits hold after every commit. A page older than the
/// strategy's lifetime is removed with the next commit; after a restart it is stale instead, because the wall clock may
/// have been set meanwhile.
///
/// Releasing the store writes waiting changes, but does not wait for the end; use ``flush(completion:)`` for that.
public final class PageFileStore<T: Sendable>: PaginatorStore {
    let writeBehind: WriteBehind<T>

    /// Creates a store. The first call opens the file.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - codec: encodes and decodes items.
    ///   - evictionStrategy: decides which pages stay, unless the paginator's config has a strategy; the adaptive
    ///     policy with 100 MB by default.
    ///   - config: how changes are batched and written.
    public init(
        file: any PageFile,
        codec: any PageCodec<T>,
        evictionStrategy: EvictionStrategy = .adaptive(maxBytes: 100_000_000),
        config: WriteBehindConfig = WriteBehindConfig()
    ) {
        writeBehind = WriteBehind(file: file, codec: codec, strategy: evictionStrategy, config: config)
    }

    deinit {
        // It retains itself until the waiting changes are written.
        writeBehind.feed(.close)
    }

    /// Statistics since the store was created.
    public var statistics: PageStoreStatistics { writeBehind.statistics }

    /// The number of changes that are not in the file yet.
    public var pendingChanges: Int { writeBehind.pendingChanges }

    /// The clock of the first attached paginator, for the inspector.
    package var attachedClock: (any PaginatorClock)? { writeBehind.attachedClock }

    /// The engines of the attached paginators, for the inspector.
    package var users: [ObjectIdentifier] { writeBehind.users }

    /// The store's state, for the inspector.
    package var state: StateValue { writeBehind.stateValue }

    /// Attaches a paginator's strategy, clock and listener. The strategy and clock of the first paginator are used, if
    /// it is attached before any other call.
    public func attach(to environment: StoreEnvironment) {
        writeBehind.attach(to: environment)
    }

    /// See ``/PaginatorCore/PaginatorStore/load(_:completion:)``.
    public func load(
        _ identity: PageIdentity,
        completion: @escaping @Sendable (Result<StoredPage<T>?, PaginatorError>) -> Void
    ) {
        writeBehind.feed(.load(identity, completion))
    }

    /// See ``/PaginatorCore/PaginatorStore/apply(_:accepted:)``.
    public func apply(
        _ changes: [StoreChange<T>],
        accepted: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) {
        writeBehind.feed(.apply(changes, accepted))
    }

    /// See ``/PaginatorCore/PaginatorStore/flush(completion:)``.
    public func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        writeBehind.feed(.flush(completion))
    }
}
