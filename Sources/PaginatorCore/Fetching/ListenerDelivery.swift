// Where a page gets its item type back: the listeners are what tickets deliver to.
extension PaginatorFetchListener: DeliverySink {
    package func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        switch delivery {
        case .preview(let page):
            if let page = FetchedPage<T>(page, at: now) { fetchDidPreview(page) }
        case .answer(.success(let page)):
            let fetched = FetchedPage<T>(page, at: now)
            fetchDidEnd(fetched.map { .success($0) } ?? .failure(FetchMachine.released))
        case .answer(.failure(let error)):
            fetchDidEnd(.failure(error))
        case .cancelled:
            fetchDidEnd(.failure(FetchMachine.cancelled))
        case .neighbor, .neighborFailure, .aroundEnd, .changed:
            break
        }
    }
}

extension PaginatorFetchAroundListener: DeliverySink {
    package func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        switch delivery {
        case .preview(let page):
            if let page = FetchedPage<T>(page, at: now) { fetchAroundDidPreview(page) }
        case .neighbor(let page, let distance):
            if let page = FetchedPage<T>(page, at: now) { fetchAroundDidDeliver(page, at: distance) }
        case .neighborFailure(let error, let distance):
            fetchAroundDidFail(error, at: distance)
        case .aroundEnd(let result):
            fetchAroundDidEnd(result)
        case .cancelled:
            fetchAroundDidEnd(.failure(FetchMachine.cancelled))
        case .answer, .changed:
            break
        }
    }
}

extension FetchedPage {
    /// Gives a page its item type back; `nil` when it is of another type, which one paginator never mixes.
    init?(_ loaded: LoadedPage, at now: PaginatorInstant) {
        guard let page = loaded.object as? PaginatorPage<T> else { return nil }
        self.init(
            page: page, origin: loaded.origin, age: loaded.age(at: now), isStale: loaded.isStale(at: now),
            refreshError: loaded.refreshError)
    }
}
