public import PaginatorCore

extension Paginator {
    /// Fetches one page, and delivers a stale cached page as a preview before the answer.
    ///
    /// Under `FetchPolicy.staleWhileRevalidate`, the default, a stale page comes at once; then comes the fresh page, or
    /// the stale one again with the error in its `refreshError`. Other policies give one element. Without a page the
    /// sequence throws. Each iterator is a fetch of its own, which starts with the first call of `next`.
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
        return PaginatorSequence { FetchUpdates(fetch: RunningFetch(self, request)) }
    }
}

private struct FetchUpdates<T: Sendable>: ElementSource {
    let fetch: RunningFetch<T>

    nonisolated(nonsending) mutating func next() async throws(PaginatorError) -> FetchedPage<T>? {
        guard !Task.isCancelled, let result = await fetch.next() else {
            if Task.isCancelled { throw .taskCancelled }
            return nil
        }
        return try result.get()
    }
}

/// One fetch whose previews and answer a task takes one by one; it ends with whoever holds it.
private final class RunningFetch<T: Sendable>: Sendable {
    private let paginator: any Paginator<T>
    private let request: PageRequest
    private let channel = Channel(UpdateBuffer<T>())
    private let execution = Guarded<PaginatorExecution?>(nil)
    private let hasStarted = OnceFlag()

    init(_ paginator: any Paginator<T>, _ request: PageRequest) {
        self.paginator = paginator
        self.request = request
    }

    deinit {
        // Does nothing to a fetch that is answered.
        execution.withLock { $0 }?.cancel()
    }

    /// Starts the fetch, the first time, and waits for its next answer; `nil` at the end and in a cancelled task.
    nonisolated(nonsending) func next() async -> Result<FetchedPage<T>, PaginatorError>? {
        // Once, also when copies of the iterator ask at the same time; nothing is fetched before the first asks.
        if hasStarted.take() {
            let started = paginator.fetch(request, listener: UpdateListener(channel))
            execution.withLock { $0 = started }
        }
        let answer = await channel.next()
        // The iterator may live on, in a copy or a variable, and its fetch is not to run for nobody.
        if Task.isCancelled { execution.withLock { $0 }?.cancel() }
        return answer
    }
}

/// What a fetch has told and nobody has taken: a preview and the answer at most.
private struct UpdateBuffer<T: Sendable>: ChannelBuffer {
    private var waiting: [Result<FetchedPage<T>, PaginatorError>] = []

    mutating func append(_ answer: Result<FetchedPage<T>, PaginatorError>) {
        waiting.append(answer)
    }

    mutating func takeFirst() -> Result<FetchedPage<T>, PaginatorError>? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

/// `@unchecked Sendable`: its only state never changes.
private final class UpdateListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let channel: Channel<UpdateBuffer<T>>

    init(_ channel: Channel<UpdateBuffer<T>>) {
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
