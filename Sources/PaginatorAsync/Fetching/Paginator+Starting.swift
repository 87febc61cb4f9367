import PaginatorCore

/// A started fetch: already answered, or pending.
enum StartedFetch<T: Sendable>: Sendable {
    case answered(Result<LoadedPage, PaginatorError>, at: PaginatorInstant)
    case pending(PendingFetch<T>)

    /// Returns the answer, waiting for it if necessary.
    nonisolated(nonsending) func value() async -> Result<FetchedPage<T>, PaginatorError> {
        switch self {
        case .answered(.success(let page), let time): .success(FetchedPage(page, at: time))
        case .answered(.failure(let error), _): .failure(error)
        case .pending(let fetch): await fetch.value()
        }
    }

    /// Returns the page, with its age at `time`, by default when it came; `nil` if it has not come, or failed.
    func page(at time: PaginatorInstant? = nil) -> FetchedPage<T>? {
        switch self {
        case .answered(.success(let page), let answered): FetchedPage(page, at: time ?? answered)
        case .answered(.failure, _): nil
        case .pending(let fetch): fetch.page(at: time)
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
        case .answered(let result, let now):
            return .answered(result, at: now)
        case .open(let identity, let memory):
            let pending = PendingFetch<T>(lock: engine.callerLock)
            pending.start { pending in
                engine.resume(request, identity, memory: memory) { pending.take($0, at: $1) }
            }
            return .pending(pending)
        }
    }
}
