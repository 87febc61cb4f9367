public import PaginatorCore

// Fetches with one answer. All run on the caller's actor: a page in memory is returned without suspending.
extension Paginator {
    /// Fetches one page.
    ///
    /// A fresh page in memory is returned without suspending, also on the main actor. Cancelling the task cancels the
    /// fetch, which then throws `cancelled`; the load stops if no other caller waits for it.
    /// Complexity: O(bytes of the key) for a page in memory.
    ///
    /// ```swift
    /// let first = try await paginator.fetch(key: posts.firstKey, pageSize: 30)
    /// show(first.content, isStale: first.isStale)
    /// ```
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items to request, from 1 to the configuration's `maxPageSize`.
    ///   - scope: distinguishes pages with the same key, such as those of two searches or users; empty by default.
    ///   - priority: the load's priority; medium by default.
    ///   - policy: where to take the page from; `nil`, the default, uses the configuration. Previews are left out.
    ///   - timeout: the time to wait for an answer; `nil`, the default, uses the configuration's `fetchTimeout`.
    ///   - debounce: the debounce key; `nil`, the default, does not debounce.
    ///   - part: how much of the page is enough; `nil`, the default, for all of it.
    /// - Returns: the page, with its origin and age.
    /// - Throws: ``/PaginatorCore/PaginatorError``, with the same codes as the forms with a callback.
    nonisolated(nonsending) public func fetch(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil,
        timeout: Duration? = nil,
        debounce: DebounceKey? = nil,
        part: PagePart? = nil
    ) async throws(PaginatorError) -> FetchedPage<T> {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy,
            timeout: timeout, debounce: debounce, part: part)
        guard !Task.isCancelled else { throw .taskCancelled }
        return try await start(request).value().get()
    }
}

extension CallbackPaginator {
    /// Fetches one page or throws: ``Paginator``'s form for a known type of paginator.
    nonisolated(nonsending) public func fetch(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil,
        timeout: Duration? = nil,
        debounce: DebounceKey? = nil,
        part: PagePart? = nil
    ) async throws(PaginatorError) -> FetchedPage<T> {
        guard !Task.isCancelled else { throw .taskCancelled }
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy,
            timeout: timeout, debounce: debounce, part: part)
        switch startNow(request) {
        case .answered(.success(let page), let time): return FetchedPage(page, at: time)
        case .answered(.failure(let error), _): throw error
        case .pending(let fetch): return try await fetch.value().get()
        }
    }
}

extension Paginator {
    /// Loads a page from the source and returns it. The cached page stays until the new one arrives.
    ///
    /// Cancelling the task cancels the refresh.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items to request, from 1 to the configuration's `maxPageSize`.
    ///   - scope: distinguishes pages with the same key, such as those of two searches or users; empty by default.
    ///   - priority: the load's priority; medium by default.
    ///   - timeout: the time to wait for an answer; `nil`, the default, uses the configuration's `fetchTimeout`.
    /// - Returns: the new page.
    /// - Throws: ``/PaginatorCore/PaginatorError``, with the same codes as a fetch.
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

    /// Loads pages, or those that follow a page, into the caches and returns a summary.
    ///
    /// Cancelling the task ends it early, with what was loaded until then. So it suits a background task of SwiftUI,
    /// which the system cancels when its time is up:
    ///
    /// ```swift
    /// var request = PrefetchRequest(from: posts.firstKey, pages: 20, pageSize: 30)
    /// request.allows = .background
    /// let summary = await paginator.prefetch(request)
    /// // What came is cached; this makes it durable.
    /// try await paginator.flush()
    /// print("\(summary.loaded.count) pages came, \(summary.failed.count) failed")
    /// ```
    ///
    /// - Parameter request: the pages, the conditions and the limits.
    /// - Returns: the loaded, fresh and failed pages.
    nonisolated(nonsending) public func prefetch(_ request: PrefetchRequest) async -> PrefetchSummary {
        let execution = Guarded<PaginatorExecution?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let started = prefetch(request) { continuation.resume(returning: $0) }
                execution.withLock { $0 = started }
                // The cancellation handler may have run before the execution was set.
                if Task.isCancelled { started.cancel() }
            }
        } onCancel: {
            execution.withLock { $0 }?.cancel()
        }
    }
}
