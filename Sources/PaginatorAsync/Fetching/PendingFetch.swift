import PaginatorCore

/// A started fetch with one answer that a task can wait for.
///
/// The answer or a cancel ends it, whichever is first. It retains its execution until then, so dropping it leaves no
/// cycle.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
final class PendingFetch<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let lock: Lock
    private var execution: PaginatorExecution?
    private var isSettled = false
    /// The answer of a paginator of this library. The waiting task restores its item type, because unspecialized code
    /// would have to look up types of `T`.
    private var loaded: (result: Result<LoadedPage, PaginatorError>, time: PaginatorInstant)?
    // Without the outcome, so that unspecialized code need not look up types of `T`.
    private var waiter: CheckedContinuation<Void, Never>?
    /// Whether the waiting task was cancelled, perhaps before it waited.
    private var hasLeft = false
    /// The answer of another paginator. Last, so that the layout of the other properties does not depend on `T`.
    private var outcome: Result<FetchedPage<T>, PaginatorError>?

    /// Fetches may share a lock.
    init(lock: Lock = Lock()) {
        self.lock = lock
        super.init()
        takesPreviews = false
    }

    /// Starts the fetch. Called once, before any other method.
    func start(_ begin: (PendingFetch) -> PaginatorExecution) {
        let execution = begin(self)
        lock.withLock { if !isSettled { self.execution = execution } }
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        settle { outcome = result }
    }

    /// Takes the answer, decided at `time`, of a paginator of this library.
    func take(_ result: Result<LoadedPage, PaginatorError>, at time: PaginatorInstant) {
        settle { loaded = (result, time) }
    }

    /// Stops the fetch, unless it is answered.
    func cancel() {
        guard let execution = lock.withLock({ execution }), execution.cancel() else { return }
        take(.failure(.taskCancelled), at: .zero)
    }

    /// Waits for the answer. If the task is cancelled, the fetch stops and no page is returned. Only one task may wait.
    nonisolated(nonsending) func value() async -> Result<FetchedPage<T>, PaginatorError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            leave()
        }
        lock.lock()
        defer { lock.unlock() }
        guard !Task.isCancelled else { return .failure(.taskCancelled) }
        switch loaded?.result {
        case .success(let page): return .success(FetchedPage(page, at: loaded?.time ?? .zero))
        case .failure(let error): return .failure(error)
        // A cancelled waiter gets no outcome.
        case nil: return outcome ?? .failure(.taskCancelled)
        }
    }

    /// Returns the page, with its age at `time`, by default when it came; `nil` if it has not come, or failed.
    func page(at time: PaginatorInstant?) -> FetchedPage<T>? {
        lock.lock()
        defer { lock.unlock() }
        if case .success(let page)? = outcome { return page }
        guard let loaded, case .success(let page) = loaded.result else { return nil }
        return FetchedPage(page, at: time ?? loaded.time)
    }

    private func wait(_ continuation: CheckedContinuation<Void, Never>) {
        lock.lock()
        let isOver = isSettled || hasLeft
        if !isOver { waiter = continuation }
        lock.unlock()
        if isOver { continuation.resume() }
    }

    /// The task was cancelled. It does not wait for an answer that is already on its way.
    private func leave() {
        cancel()
        var waiting: CheckedContinuation<Void, Never>?
        lock.lock()
        hasLeft = true
        swap(&waiting, &waiter)
        lock.unlock()
        waiting?.resume()
    }

    private func settle(_ keep: () -> Void) {
        var ended: (waiter: CheckedContinuation<Void, Never>?, execution: PaginatorExecution?) = (nil, nil)
        lock.lock()
        if !isSettled {
            isSettled = true
            keep()
            swap(&ended.waiter, &waiter)
            swap(&ended.execution, &execution)
        }
        lock.unlock()
        ended.waiter?.resume()
    }
}

extension PaginatorError {
    /// The answer to a task that was cancelled.
    static let taskCancelled = PaginatorError(.cancelled, "The task was cancelled.")
}
