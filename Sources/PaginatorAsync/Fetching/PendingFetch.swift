import PaginatorCore

/// A started fetch with one answer that tasks can wait for.
///
/// The answer or a cancel ends it, whichever is first. It retains its execution until then, so dropping it leaves no
/// cycle.
///
/// `@unchecked Sendable`: `lock` guards all mutable state.
final class PendingFetch<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private typealias Outcome = Result<FetchedPage<T>, PaginatorError>
    // Without the outcome, so that unspecialized code need not look up types of `T`.
    private typealias Waiter = (number: UInt64, continuation: CheckedContinuation<Void, Never>)

    private let lock: Lock
    private var execution: PaginatorExecution?
    private var isSettled = false
    /// The answer of a paginator of this library. The waiting task restores its item type, because unspecialized code
    /// would have to look up types of `T`.
    private var loaded: (result: Result<LoadedPage, PaginatorError>, time: PaginatorInstant)?
    /// Several if copies of an iterator wait.
    private var waiters: [Waiter] = []
    private var lastWaiter: UInt64 = 0
    /// Waiters cancelled before they arrived.
    private var gone: Set<UInt64> = []
    /// The answer of another paginator. Last, so that the layout of the other properties does not depend on `T`.
    private var outcome: Outcome?

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

    /// Waits for the answer. If the only waiting task is cancelled, the fetch stops and no page is returned.
    nonisolated(nonsending) func value() async -> Result<FetchedPage<T>, PaginatorError> {
        let number = lock.withLock {
            lastWaiter += 1
            return lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait((number, $0)) }
        } onCancel: {
            leave(number)
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

    private func wait(_ waiter: Waiter) {
        lock.lock()
        let isOver = isSettled || gone.remove(waiter.number) != nil
        if !isOver { waiters.append(waiter) }
        lock.unlock()
        if isOver { waiter.continuation.resume() }
    }

    /// A waiting task was cancelled. The fetch only continues for other waiters.
    private func leave(_ number: UInt64) {
        lock.lock()
        let isPending = !isSettled
        let place = waiters.firstIndex { $0.number == number }
        let waiter = place.map { waiters.remove(at: $0) }
        if isPending, waiter == nil { gone.insert(number) }
        let isLast = isPending && waiters.isEmpty
        lock.unlock()
        if isLast { cancel() }
        waiter?.continuation.resume()
    }

    private func settle(_ keep: () -> Void) {
        var ended: (waiters: [Waiter], execution: PaginatorExecution?) = ([], nil)
        lock.lock()
        if !isSettled {
            isSettled = true
            keep()
            swap(&ended.waiters, &waiters)
            swap(&ended.execution, &execution)
        }
        lock.unlock()
        for waiter in ended.waiters { waiter.continuation.resume() }
    }
}

extension PaginatorError {
    /// The answer to a task that was cancelled.
    static let taskCancelled = PaginatorError(.cancelled, "The task was cancelled.")
}
