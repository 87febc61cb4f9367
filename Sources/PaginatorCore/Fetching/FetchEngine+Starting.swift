import Synchronization

/// What a fetch comes to on its caller's thread, before anything is waited for.
package enum FetchStart: Sendable {
    /// It is answered: by memory, or because the request is bad or the paginator released.
    case settled(Result<LoadedPage, PaginatorError>)
    /// It has to go on with what the look into memory gave.
    case open(memory: MemoryLook)
}

/// What a look into memory gave.
package struct MemoryLook: Sendable {
    /// The answer; `nil` when nobody looked.
    let answer: CacheAnswer?
    /// How many times memory had been cleared before.
    let clears: UInt64
}

// Fetches whose caller takes an answer as a return value where there is one at once.
extension FetchEngine {
    /// Answers a request at once where a fetch would, and with the same counters, events and renewals. The page is as its
    /// reader sees it, with pending edits.
    ///
    /// Complexity: O(bytes of the key).
    package func start(_ request: PageRequest) -> FetchStart {
        if let refusal = check.refusal(of: request) {
            let now = clock.now
            report(PaginatorEvent(.fetchStarted, at: now))
            var event = PaginatorEvent(.fetchEnded, at: now)
            event.error = refusal
            report(event)
            return .settled(.failure(refusal))
        }
        let policy = (request.policy ?? defaultPolicy).kind
        let clears = clears.load(ordering: .acquiring)
        guard policy.isContentWithFreshCache else { return .open(memory: MemoryLook(answer: nil, clears: clears)) }
        let identity = request.identity
        let answer = lookUp(identity)
        let settled: Result<LoadedPage, PaginatorError>
        switch answer {
        case .fresh(let page), .freshButRefresh(let page): settled = .success(edits.shown(page))
        case .stale(let page) where policy == .cacheOnly: settled = .success(edits.shown(page))
        case .rejected(let reason): settled = .failure(FetchMachine.rejection(reason, attempts: 0))
        case .stale, .miss, .dropped, .failed: return .open(memory: MemoryLook(answer: answer, clears: clears))
        }
        guard !isReleased else { return .settled(.failure(FetchMachine.released)) }
        // The machine comes to the same answer and tells it to nobody; it reports, renews and supersedes.
        feed(.fetch(makeTicket(nil, wantsMain: false), request, identity, memory: answer))
        return .settled(settled)
    }

    /// Goes on with a fetch that ``start(_:)`` left open.
    package func resume(_ request: PageRequest, memory: MemoryLook, for ticket: FetchTicket) {
        feed(.fetch(ticket, request, request.identity, memory: memory.answer, clears: memory.clears))
    }
}
