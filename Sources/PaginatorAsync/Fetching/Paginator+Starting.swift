import PaginatorCore

/// A fetch that was started: answered on the spot, or pending.
enum StartedFetch<T: Sendable>: Sendable {
    case settled(Result<FetchedPage<T>, PaginatorError>)
    case pending(PendingFetch<T>)

    /// Waits for the answer where there is none yet.
    nonisolated(nonsending) func value() async -> Result<FetchedPage<T>, PaginatorError> {
        switch self {
        case .settled(let result): result
        case .pending(let fetch): await fetch.value()
        }
    }
}

extension Paginator {
    /// Starts a fetch; a paginator of this library answers a page in memory on the spot.
    func start(_ request: PageRequest) -> StartedFetch<T> {
        if let paginator = self as? CallbackPaginator<T> { return paginator.startNow(request) }
        let pending = PendingFetch<T>()
        pending.start { fetch(request, listener: $0) }
        return .pending(pending)
    }
}

extension CallbackPaginator {
    func startNow(_ request: PageRequest) -> StartedFetch<T> {
        switch engine.start(request) {
        case .settled(.failure(let error), _):
            return .settled(.failure(error))
        case .settled(.success(let loaded), let now):
            return .settled(.success(FetchedPage(loaded, at: now)))
        case .open(let identity, let memory):
            let pending = PendingFetch<T>(lock: engine.callerLock)
            pending.start { pending in
                let ticket = engine.makeTicket { pending.take($0, at: $1) }
                engine.resume(request, identity, memory: memory, for: ticket)
                return ticket
            }
            return .pending(pending)
        }
    }
}
