/// What a fetch comes to on its caller's thread, before anything is waited for.
package enum FetchStart: Sendable {
    /// It is answered: by memory, or because the request is bad or the paginator released.
    case settled(Result<LoadedPage, PaginatorError>)
    /// It has to go on; `memory` is what the look into memory gave, `nil` when nobody looked.
    case open(memory: CacheAnswer?)
}

// Fetches whose caller takes an answer as a return value where there is one at once.
extension FetchEngine {
    /// Answers a request at once where a fetch would, and with the same counters, events and renewals. The page is as its
    /// reader sees it, with pending edits.
    ///
    /// Complexity: O(bytes of the key).
    package func start(_ request: PageRequest) -> FetchStart {
        if let refusal = check.refusal(of: request) {
            var event = PaginatorEvent(.fetchEnded, at: clock.now)
            event.error = refusal
            report(event)
            return .settled(.failure(refusal))
        }
        let policy = (request.policy ?? defaultPolicy).kind
        guard policy.isContentWithFreshCache else { return .open(memory: nil) }
        let identity = request.identity
        let answer = lookUp(identity)
        let settled: Result<LoadedPage, PaginatorError>
        switch answer {
        case .fresh(let page), .freshButRefresh(let page): settled = .success(edits.shown(page))
        case .stale(let page) where policy == .cacheOnly: settled = .success(edits.shown(page))
        case .rejected(let reason): settled = .failure(FetchMachine.rejection(reason, attempts: 0))
        case .stale, .miss, .dropped, .failed: return .open(memory: answer)
        }
        guard !isReleased else { return .settled(.failure(FetchMachine.released)) }
        // The machine comes to the same answer and tells it to nobody; it reports, renews and supersedes.
        feed(.fetch(makeTicket(nil, wantsMain: false), request, identity, memory: answer))
        return .settled(settled)
    }

    /// Goes on with a fetch that ``start(_:)`` left open.
    package func resume(_ request: PageRequest, memory: CacheAnswer?, for ticket: FetchTicket) {
        feed(.fetch(ticket, request, request.identity, memory: memory))
    }
}
