public import PaginatorCore

extension Paginator {
    /// A page and its neighbors, each fetched when it is asked for: the asked page, then +1, -1, +2, -2 and so on.
    ///
    /// ```swift
    /// for try await (page, distance) in paginator.fetchAround(key: "60", pageSize: 30, depthLevel: 2) {
    ///     show(page.content, at: distance)
    /// }
    /// ```
    ///
    /// It throws when the asked page fails. A neighbor that fails ends its own direction only, and so does a key that came
    /// before; both are told to `onFailure`. Nothing is loaded that was not asked for, except one page ahead if that was
    /// wanted. The form with a listener loads all neighbors at once instead.
    ///
    /// - Parameters:
    ///   - key: the key of the page in the middle.
    ///   - pageSize: how many items to ask for, per page.
    ///   - depthLevel: how many pages to load on each side, at least 0.
    ///   - direction: which sides to load, both by default.
    ///   - scope: separates the same keys.
    ///   - keyPriority: how urgent the page in the middle is.
    ///   - aroundPriority: how urgent the neighbors are.
    ///   - policy: where to take the pages from; `nil` follows the configuration, without its previews.
    ///   - loadsAhead: whether the page after the one delivered is loaded meanwhile; false by default.
    ///   - onFailure: told of neighbors that fail, and of keys that came before, with the distance; called inside the
    ///     iterator's `next`.
    /// - Returns: the pages, each with its distance from the asked one: 0 for that page, negative before it.
    public func fetchAround(
        key: String,
        pageSize: Int,
        depthLevel: Int,
        direction: PageFetchDirection = .all,
        scope: String = "",
        keyPriority: FetchPriority = .medium,
        aroundPriority: FetchPriority = .low,
        policy: SingleAnswerPolicy? = nil,
        loadsAhead: Bool = false,
        onFailure: (@Sendable (_ error: PaginatorError, _ distance: Int) -> Void)? = nil
    ) -> PaginatorSequence<(page: FetchedPage<T>, distance: Int), PaginatorError> {
        let page = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: keyPriority, policy: policy.map { FetchPolicy($0) })
        let request = AroundRequest(
            page: page, depthLevel: depthLevel, direction: direction, aroundPriority: aroundPriority)
        return PaginatorSequence {
            let walker = PageWalker(
                self, page, neighborPriority: aroundPriority, loadsAhead: loadsAhead,
                walk: PageWalk(from: page, direction: direction, depth: depthLevel))
            return PagesAround(walker: walker, refusal: self.refusal(of: request), onFailure: onFailure)
        }
    }

    /// What is wrong with a request, as far as it can be told before it is made.
    fileprivate func refusal(of request: AroundRequest) -> PaginatorError? {
        if let paginator = self as? CallbackPaginator<T> { return paginator.engine.check.refusal(of: request) }
        guard request.depthLevel < 0 else { return nil }
        return PaginatorError(.invalidDepth, "The depth must be at least 0, not \(request.depthLevel).")
    }
}

private struct PagesAround<T: Sendable>: ElementSource {
    var walker: PageWalker<T>
    let refusal: PaginatorError?
    let onFailure: (@Sendable (PaginatorError, Int) -> Void)?

    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> (page: FetchedPage<T>, distance: Int)?
    {
        if let refusal { throw refusal }
        while let arrival = await walker.next() {
            switch arrival.result {
            case .success(let fetched):
                for repeated in arrival.repeats { onFailure?(.repeatedKey(repeated.key), repeated.distance) }
                return (fetched, arrival.step.distance)
            case .failure(let error) where arrival.step.distance == 0 || Task.isCancelled:
                throw error
            case .failure(let error):
                onFailure?(error, arrival.step.distance)
            }
        }
        return nil
    }
}
