public import PaginatorCore

extension Paginator {
    /// A page and its neighbors, in the order of distance: 0, +1, -1, +2, -2 and so on; each is fetched when the
    /// iterator asks for it.
    ///
    /// ```swift
    /// for try await (page, distance) in paginator.fetchAround(key: "60", pageSize: 30, depthLevel: 2) {
    ///     show(page.content, at: distance)
    /// }
    /// ```
    ///
    /// The sequence throws when the page in the middle fails. A neighbor that fails, or whose key came before, ends its
    /// own direction only, and `onFailure` is called. The forms with a listener or closures load all neighbors at once
    /// instead.
    ///
    /// - Parameters:
    ///   - key: the key of the page in the middle.
    ///   - pageSize: how many items to ask for per page, from 1 to the configuration's `maxPageSize`.
    ///   - depthLevel: how many pages to load on each side, from 0 to the configuration's `maxDepthLevel`.
    ///   - direction: which sides to load, both by default.
    ///   - scope: separates pages with the same key, such as those of two searches or users; empty by default.
    ///   - keyPriority: how urgent the page in the middle is; medium by default.
    ///   - aroundPriority: how urgent the neighbors are; low by default.
    ///   - policy: how cached pages are used; `nil`, the default, takes the configuration's policy, without previews.
    ///   - loadsAhead: whether the page after the delivered one is loaded meanwhile; false by default.
    ///   - onFailure: takes the error and the distance of each neighbor that fails; called inside the iterator's
    ///     `next`.
    /// - Returns: the pages, each with its distance: 0 for the page in the middle, negative before it.
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
        // A double has no limits of its own; it refuses what no paginator takes.
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
            // Without the asked page nobody can say what its neighbors are.
            case .failure(let error) where arrival.step.distance == 0 || Task.isCancelled:
                throw error
            case .failure(let error):
                onFailure?(error, arrival.step.distance)
            }
        }
        return nil
    }
}
