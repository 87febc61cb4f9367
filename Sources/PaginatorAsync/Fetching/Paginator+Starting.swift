import PaginatorCore

/// A started fetch: already answered, or pending.
enum StartedFetch<T: Sendable>: Sendable {
    case answered(Result<FetchedPage<T>, PaginatorError>)
    case pending(PendingFetch<T>)

    /// Returns the answer, waiting for it if necessary.
    nonisolated(nonsending) func value() async -> Result<FetchedPage<T>, PaginatorError> {
        switch self {
        case .answered(let result): result
        case .pending(let fetch): await fetch.value()
        }
    }
}

extension Paginator {
    /// Starts a fetch. A paginator of this library answers a page in memory at once.
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
        case .answered(.failure(let error), _):
            return .answered(.failure(error))
        case .answered(.success(let loaded), let now):
            return .answered(.success(FetchedPage(loaded, at: now)))
        case .open(let identity, let memory):
            let pending = PendingFetch<T>(lock: engine.callerLock)
            pending.start { pending in
                engine.resume(request, identity, memory: memory) { pending.take($0, at: $1) }
            }
            return .pending(pending)
        }
    }
}
