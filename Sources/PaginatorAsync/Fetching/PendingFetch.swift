import PaginatorCore

/// A fetch that was started, and whose one answer a task can wait for.
///
/// Whoever is first of the answer and a cancel settles it. It holds its execution until then, so that it can be dropped
/// without a cycle.
///
/// `@unchecked Sendable`: everything that changes is guarded by `lock`.
final class PendingFetch<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private typealias Outcome = Result<FetchedPage<T>, PaginatorError>
    // Without the outcome, which has an item type.
    private typealias Waiter = (number: UInt64, continuation: CheckedContinuation<Void, Never>)

    private let lock: Lock
    private var execution: PaginatorExecution?
    private var isSettled = false
    /// The answer of a paginator of this library. It has no item type: code that does not know `T` looks types up for what
    /// has, so that is left to the task that waits.
    private var loaded: (result: Result<LoadedPage, PaginatorError>, time: PaginatorInstant)?
    /// One, or several where the iterator that waits was copied.
    private var waiters: [Waiter] = []
    private var lastWaiter: UInt64 = 0
    /// Waiters that were cancelled before they came.
    private var gone: Set<UInt64> = []
    /// The answer of another paginator. Behind the others, whose places do not depend on `T`.
    private var outcome: Outcome?

    /// Fetches may share a lock.
    init(lock: Lock = Lock()) {
        self.lock = lock
    }

    /// Starts the fetch; called once, before anything else.
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
        guard !Task.isCancelled else { return .failure(.taskCancelled) }
        switch loaded?.result {
        case .success(let page): return .success(FetchedPage(page, at: loaded?.time ?? .zero))
        case .failure(let error): return .failure(error)
        // There is none for a waiter that left.
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

    /// A task that waits was cancelled: the fetch goes on only for others that wait.
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
