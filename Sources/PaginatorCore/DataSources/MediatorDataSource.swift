/// A data source that pages a local source and loads remote pages into it where the local one runs out, after the
/// `RemoteMediator` of Android's Paging library: the local source stays the one place where pages come from.
///
/// ```swift
/// let posts = MediatorDataSource(local: PostTable(database), remote: PostAPI()) { page, _, isRefresh, completion in
///     database.write({ try $0.upsert(page.content, replacingAll: isRefresh) }, completion)
/// }
/// ```
///
/// A call reads the local source. Where that gives an empty page, or one without a next key, the next remote page is
/// fetched, saved by the closure, and the local page is read again. So a local source should name a next key whenever a
/// page is full, even if it does not know what follows.
///
/// - **Sharing.** All calls of one scope that have run out wait for the same remote load.
/// - **First page.** The first call is answered from the local source when that has a page with a next key; remote loads
///   begin at the remote source's first key, or at what `resumeKey` says. With `refreshesFirstPage` every call for the
///   first key loads the first remote page first, to be saved in place of everything; keep the call's attempts in mind
///   when the remote source is slow.
/// - **End.** A remote page without a next key, or with its own key as the next, is saved as the last one. It is
///   remembered; the local source alone answers from then on until ``restart(scope:)`` or a refresh.
/// - **Keys.** A remote page whose next key is empty, longer than 4,096 bytes or has a NUL is saved; calls that run out
///   behind it end with the fatal error ``PaginatorError/Code/invalidKey`` until a refresh or ``restart(scope:)``.
/// - **Scopes.** Where remote pages go on is known of the 1,024 scopes used last at most. In one that was forgotten, remote
///   loads begin at the first key again, or at what `resumeKey` says.
/// - **Errors** of the remote source, and those of saving, end the call, unless `servesLocalOnFailure` says otherwise.
/// - **Cancel** reaches the local source or, when nobody else waits for it, the remote one. A page that is being saved is
///   saved to its end.
public final class MediatorDataSource<T: Sendable, Remote: Sendable>: PaginatorDataSource {
    typealias Save =
        @Sendable (PaginatorPage<Remote>, String, Bool, @escaping @Sendable (Result<Void, any Error>) -> Void) -> Void

    let local: any PaginatorDataSource<T>
    let remote: any PaginatorDataSource<Remote>
    let save: Save
    let resumeKey: (@Sendable (_ scope: String, _ lastPage: PaginatorPage<T>) -> String?)?
    let refreshesFirstPage: Bool
    let servesLocalOnFailure: Bool
    let maxRemoteLoads: Int
    let state = Guarded(State())

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - local: the source that pages come from.
    ///   - remote: the source that is asked where the local one runs out; its items may have another type.
    ///   - resumeKey: returns the remote key that follows what the local source has, for instance a cursor that was saved
    ///     with it, given the scope and the local page at the end. It is asked while this source has not loaded a remote
    ///     page of the scope itself, such as after a relaunch; `nil` means the remote source's first key. Without it,
    ///     remote loads begin at the first key, so that `save` should update items that are there already.
    ///   - refreshesFirstPage: whether calls for the first key load the first remote page before they read; false by
    ///     default. With it a pull to refresh reaches the remote source; without it, that asks the local one alone.
    ///   - servesLocalOnFailure: whether a call whose remote load failed is answered with the local page, where that has
    ///     items, as one that is stale already, so that the next call tries again. The answer has the remote error as its
    ///     ``FetchedPage/refreshError``, and a remote source that hangs has half of the time before the local page takes its
    ///     place. False by default: the call ends with the remote error.
    ///   - maxRemoteLoads: how many remote pages one call waits for, 10 by default; values below 1 count as 1. A call that
    ///     finds no local page after them ends with a fatal error.
    ///   - save: saves a remote page of a scope into the local source, in place of everything that was saved in the scope
    ///     where it `isRefresh`, otherwise added to it, and answers once, on any thread where the local source may be read: it
    ///     is, before the completion returns. A ``SourceError`` is taken as it is, any other error as fatal.
    public init(
        local: some PaginatorDataSource<T>,
        remote: some PaginatorDataSource<Remote>,
        resumeKey: (@Sendable (_ scope: String, _ lastPage: PaginatorPage<T>) -> String?)? = nil,
        refreshesFirstPage: Bool = false,
        servesLocalOnFailure: Bool = false,
        maxRemoteLoads: Int = 10,
        save:
            @escaping @Sendable (
                _ page: PaginatorPage<Remote>, _ scope: String, _ isRefresh: Bool,
                _ completion: @escaping @Sendable (Result<Void, any Error>) -> Void
            ) -> Void
    ) {
        self.local = local
        self.remote = remote
        self.save = save
        self.resumeKey = resumeKey
        self.refreshesFirstPage = refreshesFirstPage
        self.servesLocalOnFailure = servesLocalOnFailure
        self.maxRemoteLoads = max(1, maxRemoteLoads)
    }

    /// The local source's first key.
    public var firstKey: String { local.firstKey }

    /// Reads the local source, and loads remote pages into it where it runs out.
    public func fetch(
        _ request: SourceRequest,
        completion: @escaping @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void
    ) -> SourceCancellation {
        let visit = Visit(
            request: request.limited(to: request.timeLeft).forWholePage, call: RelayedCall(completion: completion))
        if refreshesFirstPage, request.isFirst {
            awaitRemote(.refresh, visit)
        } else {
            readLocal(visit)
        }
        return SourceCancellation { visit.call.cancel() }
    }

    /// What the local source computes.
    public func neighborKeys(of key: String, pageSize: Int) -> NeighborKeys? {
        local.neighborKeys(of: key, pageSize: pageSize)
    }

    /// Forgets which remote page comes next and whether the end was reached, so that remote loads begin again at the
    /// first key (or at what `resumeKey` says).
    ///
    /// Call it after the local source was emptied. A remote page that is on its way is dropped; one that is being saved
    /// is saved to its end.
    ///
    /// - Parameter scope: the scope to forget; the empty one by default.
    public func restart(scope: String = "") {
        state.withLock { $0.boundaries[ExactText(scope)]?.restart() }
    }
}

struct RemoteLoadsExhausted: Error {
    let loads: Int
}
