import PaginatorCore

/// Walks from page to page in one direction, and fetches each one when it is asked for.
struct PageWalker<T: Sendable> {
    private let paginator: any Paginator<T>
    private let request: PageRequest
    private let goesBackward: Bool
    private let loadsAhead: Bool
    private var key: String?
    // A key that comes a second time would lead in a circle.
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

    /// Fetches the next page, with the key that it repeats, if it names one that came before; `nil` at the end, and behind
    /// a page that failed.
    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> (
        page: FetchedPage<T>, repeatedKey: String?
    )? {
        guard let key else { return nil }
        guard !Task.isCancelled else { throw .taskCancelled }
        var result = await (ahead?.fetch ?? start(key)).value()
        if ahead != nil, case .failure(let error) = result, error.code == .cancelled, !Task.isCancelled {
            // A copy of the iterator was waiting for the page ahead, and its task was cancelled, which this one is not.
            result = await start(key).value()
        }
        // Before the page ahead of the next one is asked for: two are never under way.
        ahead = nil
        self.key = nil
        let fetched = try result.get()
        guard let following = goesBackward ? fetched.page.prevKey : fetched.page.nextKey else { return (fetched, nil) }
        guard seen.insert(ExactText(following)).inserted else { return (fetched, following) }
        self.key = following
        if loadsAhead { ahead = FetchAhead(start(following)) }
        return (fetched, nil)
    }

    private func start(_ key: String) -> StartedFetch<T> {
        var request = request
        request.key = key
        return paginator.start(request)
    }
}

/// The fetch of a page that nobody has asked for yet; it ends with whoever holds it.
private final class FetchAhead<T: Sendable>: Sendable {
    let fetch: StartedFetch<T>

    init(_ fetch: StartedFetch<T>) {
        self.fetch = fetch
    }

    deinit {
        // The last copy of the iterator is gone, so that nobody will ask for this page.
        if case .pending(let fetch) = fetch { fetch.cancel() }
    }
}
