public import PaginatorCore

/// The answers of one fetch: a preview where its policy gives one, and then the answer, or why there is none.
///
/// Under `FetchPolicy/staleWhileRevalidate` a stale page comes at once, and then the fresh one, or the
/// stale one with the reason in `FetchedPage/refreshError`. With other policies there is one element.
///
/// Each iterator is a fetch of its own, which starts when its first element is asked for and is cancelled when nobody
/// iterates any more.
public struct FetchSequence<T: Sendable>: AsyncSequence, Sendable {
    let paginator: any Paginator<T>
    let request: PageRequest

    /// Makes an iterator; nothing is fetched yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(answers: FetchAnswers(paginator, request))
    }

    /// The same answers as a stream, for interfaces that ask for one, and for one consumer.
    public func stream() -> AsyncThrowingStream<FetchedPage<T>, any Error> {
        let source = StreamSource(makeAsyncIterator())
        return AsyncThrowingStream { try await source.next() }
    }

    /// Delivers the answers of a fetch.
    public struct Iterator: AsyncIteratorProtocol {
        /// A preview or the answer.
        public typealias Element = FetchedPage<T>
        /// Why there is no answer.
        public typealias Failure = PaginatorError

        private let answers: FetchAnswers<T>
        private var isOver = false

        init(answers: FetchAnswers<T>) {
            self.answers = answers
        }

        /// Waits for the next answer on the caller's actor; `nil` after the last one, and after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PaginatorError) -> FetchedPage<T>? {
            guard !isOver else { return nil }
            guard !Task.isCancelled, let result = await answers.next() else {
                isOver = true
                if Task.isCancelled { throw .taskCancelled }
                return nil
            }
            if case .failure = result { isOver = true }
            return try result.get()
        }

        /// Waits for the next answer; `nil` after the last one, and after an error.
        public mutating func next() async throws(PaginatorError) -> FetchedPage<T>? {
            try await next(isolation: #isolation)
        }
    }
}

extension Paginator {
    /// Fetches one page and delivers what is known of it: a stale page as a preview, then the answer.
    ///
    /// ```swift
    /// for try await answer in paginator.answers(key: posts.firstKey, pageSize: 30) {
    ///     show(answer.page, isStale: answer.isStale)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: how many items to ask for.
    ///   - scope: separates the same keys.
    ///   - priority: how urgent the load is.
    ///   - policy: where to take the page from; stale while revalidate by default.
    ///   - timeout: how long to wait; `nil` follows the configuration.
    public func answers(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy = .staleWhileRevalidate,
        timeout: Duration? = nil
    ) -> FetchSequence<T> {
        FetchSequence(
            paginator: self,
            request: PageRequest(
                key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy, timeout: timeout))
    }
}
