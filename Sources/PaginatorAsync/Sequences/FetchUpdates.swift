public import PaginatorCore

extension Paginator {
    /// Fetches one page, and delivers a stale cached page, and the first items that come, as previews before the answer.
    ///
    /// Under `FetchPolicy.staleWhileRevalidate`, the default, a stale page comes at once; then comes the fresh page, or
    /// the stale one again with the error in its `refreshError`. Without a stale page, and under every policy, a source that
    /// shows items before it has all of them has them delivered here, as pages that say by `isPartial` that they are the
    /// beginning of one; each has more items than the one before. Without a page the sequence throws. Each iterator is a fetch of its own, which starts with the first call of `next`, and ends when the
    /// iterator goes: who leaves the loop after the preview stops the load behind it.
    ///
    /// ```swift
    /// for try await update in paginator.updates(key: posts.firstKey, pageSize: 30) {
    ///     show(update.content, isStale: update.isStale)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: how many items to ask for, from 1 to the configuration's `maxPageSize`.
    ///   - scope: separates pages with the same key, such as those of two searches or users; empty by default.
    ///   - priority: how urgent the load is; medium by default.
    ///   - policy: how cached pages are used; `staleWhileRevalidate` by default.
    ///   - timeout: how long the fetch may take; `nil`, the default, takes the configuration's `fetchTimeout`.
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
        channel.put { $0.append(.success(page)) }
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        channel.put { $0.append(result) }
        channel.finish()
    }
}
