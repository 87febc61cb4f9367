public import PaginatorCore

/// A page of a fetch around another one, with its distance from it.
public struct AroundPage<T: Sendable>: Sendable {
    /// The page, where it came from and how old it is.
    public let fetched: FetchedPage<T>
    /// How far from the asked page it lies: 0 for that page, negative before it.
    public let distance: Int

    /// The page.
    public var page: PaginatorPage<T> { fetched.page }
}

/// A page and its neighbors, each fetched when it is asked for: the asked page, then +1, -1, +2, -2 and so on.
///
/// It throws when the asked page fails. A neighbor that fails ends its own direction only, and so does a key that came
/// before; both are told to `onFailure`. It stops as ``PageSequence`` does: nothing is loaded that was not asked for,
/// except one page ahead if that was wanted. The form with a listener loads all neighbors at once instead.
public struct AroundSequence<T: Sendable>: AsyncSequence, Sendable {
    let paginator: any Paginator<T>
    let request: AroundRequest
    let loadsAhead: Bool
    let onFailure: (@Sendable (PaginatorError, Int) -> Void)?

    /// Starts at the asked page; nothing is loaded yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            walker: PageWalker(
                paginator, request.page, neighborPriority: request.aroundPriority, loadsAhead: loadsAhead,
                walk: PageWalk(from: request.page, direction: request.direction, depth: request.depthLevel)),
            refusal: paginator.refusal(of: request), onFailure: onFailure)
    }

    /// The same pages as a stream, for interfaces that ask for one. It is for one consumer, and pulls as this
    /// sequence does.
    public func stream() -> AsyncThrowingStream<AroundPage<T>, any Error> {
        let source = StreamSource(makeAsyncIterator())
        return AsyncThrowingStream { try await source.next() }
    }

    /// Fetches the pages of an ``AroundSequence``.
    public struct Iterator: AsyncIteratorProtocol {
        /// A page with its distance.
        public typealias Element = AroundPage<T>
        /// Why the asked page did not come.
        public typealias Failure = PaginatorError

        private var walker: PageWalker<T>
        private let refusal: PaginatorError?
        private let onFailure: (@Sendable (PaginatorError, Int) -> Void)?
        private var isOver = false

        init(
            walker: PageWalker<T>, refusal: PaginatorError?, onFailure: (@Sendable (PaginatorError, Int) -> Void)?
        ) {
            self.walker = walker
            self.refusal = refusal
            self.onFailure = onFailure
        }

        /// Fetches the next page on the caller's actor; `nil` at the end, and after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PaginatorError) -> AroundPage<T>? {
            guard !isOver else { return nil }
            if let refusal {
                isOver = true
                throw refusal
            }
            while let arrival = await walker.next() {
                switch arrival.result {
                case .success(let fetched):
                    for repeated in arrival.repeats { onFailure?(.repeatedKey(repeated.key), repeated.distance) }
                    return AroundPage(fetched: fetched, distance: arrival.step.distance)
                case .failure(let error) where arrival.step.distance == 0 || Task.isCancelled:
                    isOver = true
                    walker.stop()
                    throw error
                case .failure(let error):
                    onFailure?(error, arrival.step.distance)
                }
            }
            isOver = true
            return nil
        }

        /// Fetches the next page; `nil` at the end, and after an error.
        public mutating func next() async throws(PaginatorError) -> AroundPage<T>? {
            try await next(isolation: #isolation)
        }
    }
}

extension Paginator {
    /// A page and its neighbors, each fetched when it is asked for.
    ///
    /// ```swift
    /// for try await around in paginator.fetchAround(key: "60", pageSize: 30, depthLevel: 2) {
    ///     show(around.page, at: around.distance)
    /// }
    /// ```
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
    ) -> AroundSequence<T> {
        let page = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: keyPriority, policy: policy.map { FetchPolicy($0) })
        let request = AroundRequest(
            page: page, depthLevel: depthLevel, direction: direction, aroundPriority: aroundPriority)
        return AroundSequence(paginator: self, request: request, loadsAhead: loadsAhead, onFailure: onFailure)
    }

    /// What is wrong with a request, as far as it can be told before it is made.
    fileprivate func refusal(of request: AroundRequest) -> PaginatorError? {
        if let paginator = self as? CallbackPaginator<T> { return paginator.engine.check.refusal(of: request) }
        guard request.depthLevel < 0 else { return nil }
        return PaginatorError(.invalidDepth, "The depth must be at least 0, not \(request.depthLevel).")
    }
}
