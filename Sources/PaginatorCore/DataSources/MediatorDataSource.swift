/// A data source that pages a local source, and loads remote pages into it where the local one ends. The local source
/// remains the single source of truth, as with `RemoteMediator` of Android's Paging library.
///
/// ```swift
/// let posts = MediatorDataSource(local: PostTable(database), remote: PostAPI()) { page, _, isRefresh, completion in
///     database.write({ try $0.upsert(page.content, replacingAll: isRefresh) }, completion)
/// }
/// ```
///
/// A call reads the local source. If that returns an empty page, or one without a next key, the next remote page is
/// fetched and saved by the closure, and the local source is read again. So a local source should name a next key
/// whenever a page is full, even if it does not know what follows.
///
/// - **Sharing.** All calls of a scope that reached the local end share one remote load, which has the time of the call
///   that began it. A call that refreshes shares only a refresh that begins after it.
/// - **During a refresh**, other pages of the scope wait for it, for half of their time at most, and are read when it
///   is saved, because it may replace their rows. If it fails or is cancelled, they are read as they are.
/// - **First page.** If the local source has a first page with a next key, the first call is answered with it. Remote
///   loads begin at the remote source's first key, or at what `resumeKey` returns. With `refreshesFirstPage` every call
///   for the first key, also the first one after a launch, loads the first remote page first, to be saved in place of
///   everything; the attempt's timeout must allow for both calls. `skipsInitialRefresh` answers the first call from the
///   local source.
/// - **End.** A remote page without a next key, or with its own key as the next, is saved as the last one. From then on
///   only the local source answers, until ``restart(scope:)`` or a refresh.
/// - **Keys.** A remote page is asked for with the page size of the call that needs it, so over a source with page
///   numbers, which mean the same rows only with the same size, use one size. If the remote source no longer knows a
///   key, remote loads begin at its first key again. If the next key of a remote page is empty, longer than 4,096 bytes
///   or contains a NUL, the page is saved, and calls that reach its end fail with the fatal error
///   ``PaginatorError/Code/invalidKey`` until a refresh or ``restart(scope:)``.
/// - **Scopes.** The next remote key is remembered for the 1,024 scopes used last. In a forgotten scope, remote loads
///   begin at the first key again, or at what `resumeKey` returns.
/// - **Errors** of the remote source and of saving end the call, unless `servesLocalOnFailure` is true. Without the
///   connection that the remote source needs, and while it asks for a pause, only calls that need it fail.
/// - **Cancel** stops the local call, or the remote one if no other call waits for it. A save in progress completes.
public final class MediatorDataSource<T: Sendable, Remote: Sendable>: PaginatorDataSource, PartlyRemoteSource {
    let local: any PaginatorDataSource<T>
    let remote: any PaginatorDataSource<Remote>
    let save:
        @Sendable (PaginatorPage<Remote>, String, Bool, @escaping @Sendable (Result<Void, any Error>) -> Void) -> Void
    let resumeKey: (@Sendable (_ scope: String, _ lastPage: PaginatorPage<T>) -> String?)?
    let refreshesFirstPage: Bool
    let skipsInitialRefresh: Bool
    let servesLocalOnFailure: Bool
    let maxRemoteLoads: Int
    let state = Guarded(State())

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - local: the source that pages come from.
    ///   - remote: the source that is called where the local one ends; its items may have another type.
    ///   - resumeKey: returns the remote key that follows the local items, such as a cursor saved with them, given the
    ///     scope and the last local page. It is called until a remote page of the scope was loaded, as after a
    ///     relaunch; `nil` is the remote source's first key, and an empty text says that nothing follows. Without the
    ///     closure, or if the key has expired, remote loads begin at the first key, so `save` should update existing
    ///     items.
    ///   - refreshesFirstPage: whether calls for the first key load the first remote page before they read; false by
    ///     default. With it a pull to refresh reaches the remote source; without it, only the local one.
    ///   - skipsInitialRefresh: whether calls for the first key read the local source all the same until one call of the
    ///     scope has succeeded, so that saved items stay after a launch; false by default. Set it only if the paginator
    ///     has no store: a first page from there is no call, so the first refresh would be skipped.
    ///   - servesLocalOnFailure: whether a call whose remote load failed is answered with the local page if it has
    ///     items; false by default. The page is stale, so the next call tries again, and the answer has the error as
    ///     its ``FetchedPage/refreshError``. A remote source that hangs has half of the time.
    ///   - maxRemoteLoads: the greatest number of remote pages that one call loads; 10 by default, at least 1. A
    ///     call that finds no next key after them gets the local page, stale and with a
    ///     ``FetchedPage/refreshError``, or a fatal error if that has no items.
    ///   - save: saves a remote page of a scope into the local source and calls the completion once, on any thread,
    ///     also inside of the write. If `isRefresh` is true, it replaces everything saved in the scope; otherwise it
    ///     adds the page. A ``SourceError`` is used as it is; any other error is fatal.
    public init(
        local: some PaginatorDataSource<T>,
        remote: some PaginatorDataSource<Remote>,
        resumeKey: (@Sendable (_ scope: String, _ lastPage: PaginatorPage<T>) -> String?)? = nil,
        refreshesFirstPage: Bool = false,
        skipsInitialRefresh: Bool = false,
        servesLocalOnFailure: Bool = false,
        maxRemoteLoads: Int = 10,
        save:
            @escaping @Sendable (
                _ page: PaginatorPage<Remote>, _ scope: String, _ isRefresh: Bool,
                _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
            ) -> Void
    ) {
        self.local = local
        self.remote = PausableSource(remote)
        self.save = save
        self.resumeKey = resumeKey
        self.refreshesFirstPage = refreshesFirstPage
        self.skipsInitialRefresh = skipsInitialRefresh
        self.servesLocalOnFailure = servesLocalOnFailure
        self.maxRemoteLoads = max(1, maxRemoteLoads)
    }

    /// The local source's first key.
    public var firstKey: String { local.firstKey }

    /// The local source's rule.
    public var keyRule: KeyRule? { local.keyRule }

    /// `false`: the local source needs none.
    public var needsConnection: Bool { false }

    package var usesConnection: Bool { remote.usesConnection }

    /// Reads the local source, and loads remote pages into it where it ends.
    public func fetch(
        _ request: SourceRequest, completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let scope = ExactText(request.scope)
        let isInitial = skipsInitialRefresh && state.withLock { !($0.boundaries[scope]?.hasBegun ?? false) }
        let call = RelayedCall<T> { [self] result in
            if isInitial, case .success = result { state.withLock { $0.use(scope) { $0.hasBegun = true } } }
            completion(result)
        }
        let visit = Visit(
            request: request.limited(to: request.timeLeft).forWholePage, call: call,
            calledAt: state.withLock { $0.time })
        refreshesFirstPage && request.isFirst && !isInitial
            ? awaitRemote(.refresh, visit) : readLocalAfterRefresh(visit)
        return SourceCancellation { visit.call.cancel() }
    }

    /// Returns the local source's neighbor keys.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        local.neighborKeys(of: key, pageSize: pageSize)
    }

    /// Forgets the next remote key and whether the end was reached. Remote loads begin again at the first key, or at
    /// what `resumeKey` returns.
    ///
    /// Call it after emptying the local source. A remote page in flight is dropped, unless it is being saved.
    ///
    /// - Parameter scope: the scope to forget; the empty one by default.
    public func restart(scope: String = "") {
        // Even before the first remote load, because the version must change: a local read in progress must not
        // continue from a page of before the restart.
        state.withLock { $0.use(ExactText(scope)) { $0.restart() } }
    }
}

struct RemoteLoadsExhausted: Error {
    let loads: Int
}
