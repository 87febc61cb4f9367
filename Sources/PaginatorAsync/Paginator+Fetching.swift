public import PaginatorCore

// Fetches with one answer. All of them run on their caller's actor: a page in memory is returned without suspending.
extension Paginator {
    /// Fetches one page.
    ///
    /// A fresh page in memory is returned at once, without a hop to another thread, also on the main actor. Cancelling
    /// the task cancels the fetch, and stops the load that nobody else waits for; no page is returned after that.
    /// Complexity: O(bytes of the key) for a page in memory.
    ///
    /// ```swift
    /// let first = try await paginator.fetch(key: posts.firstKey, pageSize: 30)
    /// show(first.content, isStale: first.isStale)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: how many items to ask for.
    ///   - scope: separates the same keys.
    ///   - priority: how urgent the load is.
    ///   - policy: where to take the page from; `nil` follows the configuration, without its previews.
    ///   - timeout: how long to wait; `nil` follows the configuration.
    ///   - lane: the lane on which the fetch is debounced.
    /// - Throws: ``PaginatorError``, with the same codes as the forms with a callback.
    nonisolated(nonsending) public func fetch(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: SingleAnswerPolicy? = nil,
        timeout: Duration? = nil,
        lane: FetchLane? = nil
    ) async throws(PaginatorError) -> FetchedPage<T> {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy.map { FetchPolicy($0) },
            timeout: timeout, lane: lane)
        return try await answer(to: request)
    }
}

extension CallbackPaginator {
    /// Loads a page anew and returns it; the cached page stays until the new one has come.
    ///
    /// Cancelling the task cancels the refresh.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: how many items to ask for.
    ///   - scope: separates the same keys.
    ///   - priority: how urgent the load is.
    ///   - timeout: how long to wait; `nil` follows the configuration.
    /// - Throws: ``PaginatorError``, with the same codes as a fetch.
    nonisolated(nonsending) public func refresh(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        timeout: Duration? = nil
    ) async throws(PaginatorError) -> FetchedPage<T> {
        guard !Task.isCancelled else { throw .taskCancelled }
        let pending = PendingFetch<T>()
        let request = PageRequest(key: key, pageSize: pageSize, scope: scope, priority: priority, timeout: timeout)
        pending.start { refresh(request, listener: $0) }
        return try await pending.value().get()
    }
}
