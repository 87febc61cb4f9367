import PaginatorCore

/// A fetch that was started, and whose one answer a task can wait for.
///
/// Whoever is first of the answer and a cancel settles it. It holds its execution until then, so that it can be dropped
/// without a cycle.
///
/// `@unchecked Sendable`: everything that changes is in `state`, behind its lock.
final class PendingFetch<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private typealias Outcome = Result<FetchedPage<T>, PaginatorError>

    private struct State: Sendable {
        var execution: PaginatorExecution?
        var outcome: Outcome?
        /// One, or several where the iterator that waits was copied.
        var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        var lastWaiter: UInt64 = 0
        /// Waiters that were cancelled before they came.
        var gone: Set<UInt64> = []
    }

    private let state = Guarded(State())

    override init() {}

    /// Starts the fetch; called once, before anything else.
    func start(_ begin: (PendingFetch) -> PaginatorExecution) {
        let execution = begin(self)
        state.withLock { state in
            if state.outcome == nil { state.execution = execution }
        }
    }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        settle(result)
    }

    /// Stops the fetch, unless it is answered.
    func cancel() {
        guard let execution = state.withLock({ $0.execution }), execution.cancel() else { return }
        settle(.failure(.taskCancelled))
    }

    /// Waits for the answer. A cancel of the only task that waits stops the fetch, and no page is returned after it.
    nonisolated(nonsending) func value() async -> Result<FetchedPage<T>, PaginatorError> {
        let (known, number) = state.withLock { state in
            state.lastWaiter += 1
            return (state.outcome, state.lastWaiter)
        }
        let outcome =
            if let known {
                known
            } else {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { wait($0, as: number) }
                } onCancel: {
                    leave(number)
                }
            }
        return Task.isCancelled ? .failure(.taskCancelled) : outcome
    }

    private func wait(_ waiter: CheckedContinuation<Outcome, Never>, as number: UInt64) {
        let outcome = state.withLock { state -> Outcome? in
            if let outcome = state.outcome { return outcome }
            if state.gone.remove(number) != nil { return .failure(.taskCancelled) }
            state.waiters[number] = waiter
            return nil
        }
        if let outcome { waiter.resume(returning: outcome) }
    }

    /// A task that waits was cancelled: the fetch goes on only for others that wait.
    private func leave(_ number: UInt64) {
        let (waiter, isLast) = state.withLock { state -> (CheckedContinuation<Outcome, Never>?, Bool) in
            guard state.outcome == nil else { return (nil, false) }
            let waiter = state.waiters.removeValue(forKey: number)
            if waiter == nil { state.gone.insert(number) }
            return (waiter, state.waiters.isEmpty)
        }
        if isLast { cancel() }
        waiter?.resume(returning: .failure(.taskCancelled))
    }

    private func settle(_ outcome: Outcome) {
        let (waiters, execution) = state.withLock {
            state -> ([CheckedContinuation<Outcome, Never>], PaginatorExecution?) in
            guard state.outcome == nil else { return ([], nil) }
            state.outcome = outcome
            defer {
                state.waiters = [:]
                state.execution = nil
            }
            return (Array(state.waiters.values), state.execution)
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
        withExtendedLifetime(execution) {}
    }
}

extension PaginatorError {
    /// The answer to a task that was cancelled.
    static let taskCancelled = PaginatorError(.cancelled, "The task was cancelled.")
}
