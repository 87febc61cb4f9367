// Where a page gets its item type back: the listeners are what tickets deliver to.
extension PaginatorFetchListener: DeliverySink {
    package func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        if let result = delivery.result(T.self, at: now) {
            fetchDidEnd(result)
        } else if case .preview(let page) = delivery {
            fetchDidPreview(FetchedPage(page, at: now))
        }
    }
}

extension Delivery {
    /// What a fetch of one page ends with; `nil` for everything else.
    func result<T: Sendable>(
        _ type: T.Type, at now: PaginatorInstant
    ) -> Result<FetchedPage<T>, PaginatorError>? {
        switch self {
        case .answer(.success(let page)): .success(FetchedPage(page, at: now))
        case .answer(.failure(let error)): .failure(error)
        case .cancelled: .failure(FetchMachine.cancelled)
        case .preview, .neighbor, .neighborFailure, .aroundEnd, .changed, .unobserved: nil
        }
    }
}

extension PaginatorFetchAroundListener: DeliverySink {
    package func receive(_ delivery: Delivery, at now: PaginatorInstant) {
        switch delivery {
        case .preview(let page):
            fetchAroundDidPreview(FetchedPage(page, at: now))
        case .neighbor(let page, let distance):
            fetchAroundDidDeliver(FetchedPage(page, at: now), at: distance)
        case .neighborFailure(let error, let distance):
            fetchAroundDidFail(error, at: distance)
        case .aroundEnd(let result):
            fetchAroundDidEnd(result)
        case .cancelled:
            fetchAroundDidEnd(.failure(FetchMachine.cancelled))
        case .answer, .changed, .unobserved:
            break
        }
    }
}

extension FetchedPage {
    /// Gives a page its item type back.
    package init(_ loaded: LoadedPage, at now: PaginatorInstant) {
        self.init(
            page: .from(loaded.object), origin: loaded.origin, age: loaded.age(at: now),
            isStale: loaded.isStale(at: now),
            refreshError: loaded.refreshError)
    }
}
