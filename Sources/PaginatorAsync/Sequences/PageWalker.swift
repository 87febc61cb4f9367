import PaginatorCore

/// Walks from page to page and fetches each one when it is asked for; what all iterators over pages share.
struct PageWalker<T: Sendable> {
    /// One page of the walk, or why it did not come.
    struct Arrival {
        let step: PageWalk.Step
        let result: Result<FetchedPage<T>, PaginatorError>
        /// Keys beside the page that came before.
        let repeats: [PageWalk.Repeat]
    }

    private let paginator: any Paginator<T>
    private let request: PageRequest
    private let neighborPriority: FetchPriority
    private let loadsAhead: Bool
    private var walk: PageWalk
    private var ahead: FetchAhead<T>?

    init(
        _ paginator: any Paginator<T>, _ request: PageRequest, neighborPriority: FetchPriority, loadsAhead: Bool,
        walk: PageWalk
    ) {
        self.paginator = paginator
        self.request = request
        self.neighborPriority = neighborPriority
        self.loadsAhead = loadsAhead
        self.walk = walk
    }

    /// Fetches the next page; `nil` at the end. A page that fails ends its side.
    nonisolated(nonsending) mutating func next() async -> Arrival? {
        guard let step = walk.next else { return nil }
        guard !Task.isCancelled else { return Arrival(step: step, result: .failure(.taskCancelled), repeats: []) }
        var result = await (ahead?.fetch ?? paginator.start(request(for: step))).value()
        if ahead != nil, case .failure(let error) = result, error.code == .cancelled, !Task.isCancelled {
            // A copy of the iterator was waiting for the page ahead, and its task was cancelled, which this one is not.
            result = await paginator.start(request(for: step)).value()
        }
        // Before the page ahead of the next one is asked for: two are never under way.
        ahead = nil
        switch result {
        case .success(let fetched):
            let repeats = walk.arrived(previous: fetched.page.prevKey, next: fetched.page.nextKey)
            if loadsAhead, let following = walk.next {
                ahead = FetchAhead(paginator.start(request(for: following)))
            }
            return Arrival(step: step, result: result, repeats: repeats)
        case .failure:
            walk.failed()
            return Arrival(step: step, result: result, repeats: [])
        }
    }

    private func request(for step: PageWalk.Step) -> PageRequest {
        var request = request
        request.key = step.key
        if step.distance != 0 { request.priority = neighborPriority }
        return request
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
