import PaginatorCore

/// Walks from page to page in one direction, and fetches each one on demand.
struct PageWalker<T: Sendable> {
    private let paginator: any Paginator<T>
    private let request: PageRequest
    private let goesBackward: Bool
    private let loadsAhead: Bool
    private var key: String?
    // A repeated key would be a cycle.
    private var seen: Set<ExactText>
    private var ahead: FetchAhead<T>?

    init(_ paginator: any Paginator<T>, _ request: PageRequest, goesBackward: Bool, loadsAhead: Bool) {
        self.paginator = paginator
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
        var result = await (ahead?.fetch ?? start(key)).value()
        if ahead != nil, isOutdated(result, key), !Task.isCancelled { result = await start(key).value() }
        // Before the next page ahead is requested, so that never two are loading.
        ahead = nil
        self.key = nil
        let fetched = try result.get()
        guard let following = goesBackward ? fetched.page.prevKey : fetched.page.nextKey else { return (fetched, nil) }
        guard seen.insert(ExactText(following)).inserted else { return (fetched, following) }
        self.key = following
        if loadsAhead { ahead = FetchAhead(start(following)) }
        return (fetched, nil)
    }

    /// Whether the answer of a page loaded ahead is one of the past.
    private func isOutdated(_ result: Result<FetchedPage<T>, PaginatorError>, _ key: String) -> Bool {
        // It may have failed before anybody waited for it, or a cancelled task waited for it through a copy of the
        // iterator.
        guard case .success(let ahead) = result else { return true }
        // Edited, loaded again or invalidated since. One that came stale would come stale again.
        guard let now = paginator.base.peek(request(for: key).identity),
            now.page !== ahead.page || now.isStale && !ahead.isStale
        else { return false }
        return (request.policy ?? paginator.base.makeListHost().defaultPolicy) != .networkOnly
    }

    private func start(_ key: String) -> StartedFetch<T> { paginator.start(request(for: key)) }

    private func request(for key: String) -> PageRequest {
        var request = request
        request.key = key
        return request
    }
}

/// The fetch of a page loaded ahead. It stops when it is released.
private final class FetchAhead<T: Sendable>: Sendable {
    let fetch: StartedFetch<T>

    init(_ fetch: StartedFetch<T>) {
        self.fetch = fetch
    }

    deinit {
        // The last copy of the iterator was released, so the page will not be requested.
        if case .pending(let fetch) = fetch { fetch.cancel() }
    }
}
