import PaginatorCore

/// Walks from page to page in one direction, and fetches each one on demand.
struct PageWalker<T: Sendable> {
    private let paginator: any Paginator<T>
    private let host: ListHost
    private let request: PageRequest
    private let goesBackward: Bool
    private let loadsAhead: Bool
    private var key: String?
    // A repeated key would be a cycle.
    private var seen: Set<ExactText>
    private var ahead: FetchAhead<T>?

    init(_ paginator: any Paginator<T>, _ request: PageRequest, goesBackward: Bool, loadsAhead: Bool) {
        self.paginator = paginator
        host = paginator.base.makeListHost()
        self.request = request
        self.goesBackward = goesBackward
        self.loadsAhead = loadsAhead
        key = request.key
        seen = [ExactText(request.key)]
    }

    /// Fetches the next page, and returns it with its next key if that was already visited; `nil` at the end, and after
    /// a failed page.
    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> (
        page: FetchedPage<T>, repeatedKey: String?
    )? {
        guard let key else { return nil }
        guard !Task.isCancelled else { throw .taskCancelled }
        self.key = nil
        // A page that is still loading is fetched, too: the fetch has its own timeout, and joins the load unless that is
        // too old.
        let fetched = if let loaded = loadedAhead(key) { loaded } else { try await fetch(key) }
        // Before the next page ahead is requested, so that never two are loading.
        ahead = nil
        guard let following = goesBackward ? fetched.page.prevKey : fetched.page.nextKey else { return (fetched, nil) }
        guard seen.insert(ExactText(following)).inserted else { return (fetched, following) }
        self.key = following
        if loadsAhead { ahead = loadAhead(following) }
        return (fetched, nil)
    }

    private func loadAhead(_ key: String) -> FetchAhead<T>? {
        // It would fail at once, and be an error in the page's state.
        guard host.blockingConditions.isEmpty else { return nil }
        var request = request(for: key)
        request.isAhead = true
        // Read before the start, so that whatever comes after the start counts.
        let invalidations = host.invalidations
        return FetchAhead(invalidations: invalidations, paginator.start(request))
    }

    /// Returns the page loaded ahead, unless it has not come, has failed, or is one of the past.
    private func loadedAhead(_ key: String) -> FetchedPage<T>? {
        guard let ahead, let came = ahead.fetch.page(), let page = ahead.fetch.page(at: host.clock.now) else {
            return nil
        }
        // In place of a page that conditions held back: they do not hold back what the loop waits for.
        if came.refreshError?.code == .heldBack { return nil }
        let cached = paginator.base.peek(request(for: key).identity)
        // Expired or invalidated since. One that came stale would come stale again.
        if (cached ?? page).isStale, !came.isStale { return nil }
        // A page that was on its way then is not cached, or only as a stale one.
        if host.invalidations != ahead.invalidations, cached?.isStale != false { return nil }
        // Edited or loaded again since.
        guard let cached, cached.page !== page.page else { return page }
        return (request.policy ?? host.defaultPolicy) == .networkOnly ? page : nil
    }

    nonisolated(nonsending) private func fetch(_ key: String) async throws(PaginatorError) -> FetchedPage<T> {
        let result = await paginator.start(request(for: key)).value()
        // A copy of the iterator may retain the page ahead, but its load must not continue unused.
        if case .failure = result { ahead?.cancel() }
        return try result.get()
    }

    private func request(for key: String) -> PageRequest {
        var request = request
        request.key = key
        return request
    }
}

/// The fetch of a page loaded ahead. It stops when it is released.
private final class FetchAhead<T: Sendable>: Sendable {
    /// The number of clears and invalidations before the fetch.
    let invalidations: UInt64
    let fetch: StartedFetch<T>

    init(invalidations: UInt64, _ fetch: StartedFetch<T>) {
        self.invalidations = invalidations
        self.fetch = fetch
    }

    deinit {
        // The last copy of the iterator was released, so the page will not be requested.
        cancel()
    }

    func cancel() {
        if case .pending(let fetch) = fetch { fetch.cancel() }
    }
}
