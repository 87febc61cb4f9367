public import PaginatorCore

/// Which way a sequence of pages goes.
public enum PageSequenceDirection: Sendable {
    /// From a page to the next one.
    case forward
    /// From a page to the one before.
    case backward

    var fetchDirection: PageFetchDirection {
        switch self {
        case .forward: .forward
        case .backward: .backward
        }
    }
}

/// Pages one after the other, each fetched when it is asked for.
///
/// It ends behind the last page, and throws where a page fails. A page that names a neighbor which came before makes it
/// throw `PaginatorError/Code/repeatedKey` when that neighbor is asked for, instead of going round for ever. After an
/// error it is over.
///
/// Nothing is loaded that was not asked for, except the one page ahead if that was wanted; whoever stops iterating
/// stops that load as well. Cancelling the task stops the load and throws `PaginatorError/Code/cancelled`.
///
/// Each iterator starts anew at the first page. It remembers the keys it has passed.
public struct PageSequence<T: Sendable>: AsyncSequence, Sendable {
    let paginator: any Paginator<T>
    let request: PageRequest
    let direction: PageSequenceDirection
    let loadsAhead: Bool

    /// Starts at the first page; nothing is loaded yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            walker: PageWalker(
                paginator, request, neighborPriority: request.priority, loadsAhead: loadsAhead,
                walk: PageWalk(from: request, direction: direction.fetchDirection)))
    }

    /// The same pages as a stream, for interfaces that ask for one. It is for one consumer, and pulls as this
    /// sequence does.
    public func stream() -> AsyncThrowingStream<PaginatorPage<T>, any Error> {
        let source = StreamSource(makeAsyncIterator())
        return AsyncThrowingStream { try await source.next() }
    }

    /// Fetches the pages of a ``PageSequence``.
    public struct Iterator: AsyncIteratorProtocol {
        /// The items come as pages.
        public typealias Element = PaginatorPage<T>
        /// Why a page did not come.
        public typealias Failure = PaginatorError

        var walker: PageWalker<T>
        private var repeated: PageWalk.Repeat?
        private var isOver = false

        init(walker: PageWalker<T>) {
            self.walker = walker
        }

        /// Fetches the next page on the caller's actor; `nil` at the end, and after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PaginatorError) -> PaginatorPage<T>? {
            guard !isOver else { return nil }
            if let repeated {
                isOver = true
                throw .repeatedKey(repeated.key)
            }
            guard let arrival = await walker.next() else {
                isOver = true
                return nil
            }
            repeated = arrival.repeats.first
            switch arrival.result {
            case .success(let fetched):
                return fetched.page
            case .failure(let error):
                isOver = true
                walker.stop()
                throw error
            }
        }

        /// Fetches the next page; `nil` at the end, and after an error.
        public mutating func next() async throws(PaginatorError) -> PaginatorPage<T>? {
            try await next(isolation: #isolation)
        }
    }
}

extension PaginatorError {
    /// A page names a neighbor that came before.
    static func repeatedKey(_ key: String) -> PaginatorError {
        PaginatorError(.repeatedKey, "The page with the key \(key.prefix(80).debugDescription) came before.")
    }
}

extension Paginator {
    /// Pages from one key on, each fetched when it is asked for.
    ///
    /// ```swift
    /// for try await page in paginator.pages(from: posts.firstKey, pageSize: 30) { show(page.content) }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the key of the first page.
    ///   - pageSize: how many items to ask for, per page.
    ///   - direction: which way to go, forward by default.
    ///   - scope: separates the same keys.
    ///   - priority: how urgent the loads are.
    ///   - policy: where to take the pages from; `nil` follows the configuration, without its previews.
    ///   - timeout: how long to wait for each page; `nil` follows the configuration.
    ///   - loadsAhead: whether the page after the one delivered is loaded meanwhile; false by default.
    public func pages(
        from key: String,
        pageSize: Int,
        direction: PageSequenceDirection = .forward,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: SingleAnswerPolicy? = nil,
        timeout: Duration? = nil,
        loadsAhead: Bool = false
    ) -> PageSequence<T> {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy.map { FetchPolicy($0) },
            timeout: timeout)
        return PageSequence(paginator: self, request: request, direction: direction, loadsAhead: loadsAhead)
    }

    /// Items from one key on; pages are fetched when an item of theirs is asked for.
    ///
    /// - Parameters:
    ///   - key: the key of the first page.
    ///   - pageSize: how many items to ask for, per page.
    ///   - direction: which way to go, forward by default; items keep the order that they have in their page.
    ///   - scope: separates the same keys.
    ///   - priority: how urgent the loads are.
    ///   - policy: where to take the pages from; `nil` follows the configuration, without its previews.
    ///   - timeout: how long to wait for each page; `nil` follows the configuration.
    ///   - loadsAhead: whether the page after the one delivered is loaded meanwhile; false by default.
    public func items(
        from key: String,
        pageSize: Int,
        direction: PageSequenceDirection = .forward,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: SingleAnswerPolicy? = nil,
        timeout: Duration? = nil,
        loadsAhead: Bool = false
    ) -> ItemSequence<T> {
        ItemSequence(
            pages: pages(
                from: key, pageSize: pageSize, direction: direction, scope: scope, priority: priority, policy: policy,
                timeout: timeout, loadsAhead: loadsAhead))
    }
}
