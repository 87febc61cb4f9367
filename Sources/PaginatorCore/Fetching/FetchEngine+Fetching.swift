import Synchronization

// The calls of a paginator, with the item type off.
extension FetchEngine {
    /// Fetches one page for a ticket.
    package func fetch(_ request: PageRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: false)) }
        let identity = request.identity
        guard (request.policy ?? defaultPolicy).kind.isContentWithFreshCache else {
            return feed(.fetch(ticket, request, identity, memory: nil))
        }
        let clears = clears.load(ordering: .acquiring)
        let answer = lookUp(identity).demanding(request.notBefore)
        feed(.fetch(ticket, request, identity, memory: answer, clears: clears))
    }

    /// Fetches a page and its neighbors for a ticket.
    package func fetchAround(_ request: AroundRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: true)) }
        feed(.fetchAround(ticket, request))
    }

    /// Loads a page anew for a ticket.
    package func refresh(_ request: PageRequest, for ticket: FetchTicket) {
        if let refusal = check.refusal(of: request) { return feed(.refuse(ticket, refusal, isAround: false)) }
        feed(.refresh(ticket, request))
    }

    /// Loads pages that nobody waits for; bad requests are left out.
    package func prefetch(_ requests: [PageRequest], for ticket: FetchTicket) {
        let good = requests.filter { check.refusal(of: $0) == nil }
        if !good.isEmpty { feed(.prefetch(ticket, good)) }
    }

    /// Returns a usable page from memory on the caller's thread, or `nil`; it counts as a use.
    package func answerNow(_ identity: PageIdentity) -> LoadedPage? {
        switch lookUp(identity) {
        case .fresh(let page), .freshButRefresh(let page), .stale(let page): edits.shown(page)
        case .miss, .dropped, .rejected, .failed: nil
        }
    }

    /// Returns what memory has now, without counting it as a use or having it judged.
    func peek(_ identity: PageIdentity) -> (hit: FreshHit, isStale: Bool, now: PaginatorInstant)? {
        let now = clock.now
        guard case (var hit, let isStale)? = memory.peek(identity, at: now) else { return nil }
        edits.show(&hit)
        return (hit, isStale, now)
    }

    /// Returns the last error of a page, and whether it is being loaded.
    package func status(of identity: PageIdentity) -> (isLoading: Bool, error: PaginatorError?) {
        inspect { ($0.index[identity] != nil, $0.errors[identity]) }
    }

    /// Makes durable what was handed to the store; completes on any thread.
    package func flush(completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void) {
        guard let storeCalls else { return executor.run { completion(.success(())) } }
        storeCalls.flush(completion: completion)
    }

    /// Removes pages from memory before it returns, and from the store before it completes, on any thread.
    ///
    /// - Returns: false, without completing, when there is no store and hence nothing to wait for.
    package func clear(
        _ selection: PageSelection, completion: @escaping @Sendable (Result<Void, PaginatorError>) -> Void
    ) -> Bool {
        guard let storeCalls else {
            feed(.clear(selection))
            return false
        }
        storeCalls.flush(after: { feed(.clear(selection)) }, completion: completion)
        return true
    }

    /// Whether there is a store, so that a flush has something to do.
    package var hasStore: Bool { storeCalls != nil }

    /// The key of the source's first page.
    package var firstKey: String { operations.firstKey }
}
