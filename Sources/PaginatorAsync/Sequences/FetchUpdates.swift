public import PaginatorCore

extension Paginator {
    /// Fetches one page, with a stale cached page and the first items as previews before the answer.
    ///
    /// Under `FetchPolicy.staleWhileRevalidate`, the default, a stale page comes at once, followed by the fresh page,
    /// or by the stale one again with the error in its `refreshError`. If the source shows first items early, they are
    /// previews under every policy, with more items each time; their `isPartial` is true. A slow consumer skips
    /// previews. If there is no page, the sequence throws. Each iterator is its own fetch: it starts with the first
    /// call of `next`, and dropping the iterator stops the load.
    ///
    /// ```swift
    /// for try await update in paginator.updates(key: posts.firstKey, pageSize: 30) {
    ///     show(update.content, isStale: update.isStale)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items to request, from 1 to the configuration's `maxPageSize`.
    ///   - scope: distinguishes pages with the same key, such as those of two searches or users; empty by default.
    ///   - priority: the load's priority; medium by default.
    ///   - policy: where to take the page from; `staleWhileRevalidate` by default.
    ///   - timeout: the time to wait for an answer; `nil`, the default, uses the configuration's `fetchTimeout`.
    public func updates(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy = .staleWhileRevalidate,
        timeout: Duration? = nil
    ) -> PaginatorSequence<FetchedPage<T>, PaginatorError> {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy, timeout: timeout)
        return PaginatorSequence {
            FetchUpdates(call: RunningCall { self.fetch(request, listener: UpdateListener($0)) })
        }
    }
}

private struct FetchUpdates<T: Sendable>: ElementSource {
    let call: RunningCall<Result<FetchedPage<T>, PaginatorError>>

    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> FetchedPage<T>? {
        try await call.next()?.get()
    }
}

/// `@unchecked Sendable`: its only state never changes.
private final class UpdateListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let channel: Channel<WaitingAnswers<Result<FetchedPage<T>, PaginatorError>>>

    init(_ channel: Channel<WaitingAnswers<Result<FetchedPage<T>, PaginatorError>>>) {
        self.channel = channel
    }

    override func fetchDidPreview(_ page: FetchedPage<T>) {
        channel.put { $0.replace(with: .success(page)) }
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        channel.put { $0.append(result) }
        channel.finish()
    }
}
