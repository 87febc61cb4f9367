import PaginatorCore

/// A fetch that was started, and whose one answer a task can wait for.
///
/// Whoever is first of the answer and a cancel settles it. It holds its execution until then, so that it can be dropped
/// without a cycle.
///
/// `@unchecked Sendable`: everything that changes is guarded by `lock`.
final class PendingFetch<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private typealias Outcome = Result<FetchedPage<T>, PaginatorError>
    // Without the outcome: code that does not know `T` would look types up for it.
    private typealias Waiter = (number: UInt64, continuation: CheckedContinuation<Void, Never>)

    private let lock: Lock
    private var execution: PaginatorExecution?
    private var outcome: Outcome?
    /// One, or several where the iterator that waits was copied.
    private var waiters: [Waiter] = []
    private var lastWaiter: UInt64 = 0
    /// Waiters that were cancelled before they came.
    private var gone: Set<UInt64> = []

    /// Fetches may share a lock.
    init(lock: Lock = Lock()) {
        self.lock = lock
    }

    /// Starts the fetch; called once, before anything else.
    func start(_ begin: (PendingFetch) -> PaginatorExecution) {
        let execution = begin(self)
        lock.withLock { if outcome == nil { self.execution = execution } }
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        settle(result)
    }

    /// Stops the fetch, unless it is answered.
    func cancel() {
        guard let execution = lock.withLock({ execution }), execution.cancel() else { return }
        settle(.failure(.taskCancelled))
    }

    /// Waits for the answer. A cancel of the only task that waits stops the fetch, and no page is returned after it.
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
        // There is none for a waiter that left.
        guard let outcome, !Task.isCancelled else { return .failure(.taskCancelled) }
        return outcome
    }

    private func wait(_ waiter: Waiter) {
        lock.lock()
        let isOver = outcome != nil || gone.remove(waiter.number) != nil
        if !isOver { waiters.append(waiter) }
        lock.unlock()
        if isOver { waiter.continuation.resume() }
    }

    /// A task that waits was cancelled: the fetch goes on only for others that wait.
    private func leave(_ number: UInt64) {
        lock.lock()
        let isPending = outcome == nil
        let place = waiters.firstIndex { $0.number == number }
        let waiter = place.map { waiters.remove(at: $0) }
        if isPending, waiter == nil { gone.insert(number) }
        let isLast = isPending && waiters.isEmpty
        lock.unlock()
        if isLast { cancel() }
        waiter?.continuation.resume()
    }

    private func settle(_ outcome: Outcome) {
        var ended: (waiters: [Waiter], execution: PaginatorExecution?) = ([], nil)
        lock.lock()
        if self.outcome == nil {
            self.outcome = outcome
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
