public import PaginatorCore

extension Paginator {
    /// A page and its neighbors, in the order of distance: 0, +1, -1, +2, -2 and so on.
    ///
    /// ```swift
    /// for try await (page, distance) in paginator.fetchAround(key: "60", pageSize: 30, depthLevel: 2) {
    ///     show(page.content, at: distance)
    /// }
    /// ```
    ///
    /// Pages are loaded as by the form with a listener, from the first call of `next` on, however fast the task takes
    /// them; neighbors whose keys the source computes are loaded all at once. Dropping the iterator stops what is still
    /// loading.
    ///
    /// The sequence throws if the requested page fails. A neighbor that fails, or a page whose next key came before,
    /// only ends its own direction; `onFailure` is called, for a repeated key at the end.
    ///
    /// - Parameters:
    ///   - key: the requested page's key.
    ///   - pageSize: the number of items to request per page, from 1 to the configuration's `maxPageSize`.
    ///   - depthLevel: the number of pages to load on each side, from 0 to the configuration's `maxDepthLevel`.
    ///   - direction: the sides to load; both by default.
    ///   - scope: distinguishes pages with the same key, such as those of two searches or users; empty by default.
    ///   - keyPriority: the requested page's priority; medium by default.
    ///   - aroundPriority: the neighbors' priority; low by default.
    ///   - policy: where to take pages from; `nil`, the default, uses the configuration. Previews are left out.
    ///   - onFailure: called with the error and the distance of each neighbor that fails, inside the iterator's `next`.
    /// - Returns: the pages, each with its distance: 0 for the requested page, negative before it.
    public func fetchAround(
        key: String,
        pageSize: Int,
        depthLevel: Int,
        direction: PageFetchDirection = .all,
        scope: String = "",
        keyPriority: FetchPriority = .medium,
        aroundPriority: FetchPriority = .low,
        policy: FetchPolicy? = nil,
        onFailure: (@Sendable (_ error: PaginatorError, _ distance: Int) -> Void)? = nil
    ) -> PaginatorSequence<(page: FetchedPage<T>, distance: Int), PaginatorError> {
        let page = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: keyPriority, policy: policy)
        let request = AroundRequest(
            page: page, depthLevel: depthLevel, direction: direction, aroundPriority: aroundPriority)
        return PaginatorSequence {
            PagesAround(
                call: RunningCall { self.fetchAround(request, listener: AroundListener($0)) }, onFailure: onFailure)
        }
    }
}

private enum AroundAnswer<T: Sendable>: Sendable {
    case page(FetchedPage<T>, distance: Int)
    case neighborFailed(PaginatorError, distance: Int)
    case failed(PaginatorError)
}

private struct PagesAround<T: Sendable>: ElementSource {
    let call: RunningCall<AroundAnswer<T>>
    let onFailure: (@Sendable (PaginatorError, Int) -> Void)?

    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> (page: FetchedPage<T>, distance: Int)?
    {
        while let answer = try await call.next() {
            switch answer {
            case .page(let page, let distance): return (page, distance)
            case .neighborFailed(let error, let distance): onFailure?(error, distance)
            case .failed(let error): throw error
            }
        }
        return nil
    }
}

/// `@unchecked Sendable`: its only state never changes.
private final class AroundListener<T: Sendable>: PaginatorFetchAroundListener<T>, @unchecked Sendable {
    private let channel: Channel<WaitingAnswers<AroundAnswer<T>>>

    init(_ channel: Channel<WaitingAnswers<AroundAnswer<T>>>) {
        self.channel = channel
        super.init()
        takesPreviews = false
    }

    override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) {
        channel.put { $0.append(.page(page, distance: distance)) }
    }

    override func fetchAroundDidFail(_ error: PaginatorError, at distance: Int) {
        channel.put { $0.append(.neighborFailed(error, distance: distance)) }
    }

    override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
        channel.put { waiting in
            switch result {
            case .success(let summary):
                for (distance, key) in summary.repeatedKeys.sorted(by: { $0.key < $1.key }) {
                    waiting.append(.neighborFailed(.repeatedKey(key), distance: distance))
                }
            case .failure(let error): waiting.append(.failed(error))
            }
        }
        channel.finish()
    }
}
