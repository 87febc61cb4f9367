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
        var waiter: CheckedContinuation<Outcome, Never>?
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

    /// Waits for the answer. A cancel of the task stops the fetch, and no page is returned after it.
    nonisolated(nonsending) func value() async -> Result<FetchedPage<T>, PaginatorError> {
        let outcome =
            if let outcome = state.withLock({ $0.outcome }) {
                outcome
            } else {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { wait($0) }
                } onCancel: {
                    cancel()
                }
            }
        return Task.isCancelled ? .failure(.taskCancelled) : outcome
    }

    private func wait(_ waiter: CheckedContinuation<Outcome, Never>) {
        let outcome = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.waiter = waiter }
            return state.outcome
        }
        if let outcome { waiter.resume(returning: outcome) }
    }

    private func settle(_ outcome: Outcome) {
        let (waiter, execution) = state.withLock {
            state -> (CheckedContinuation<Outcome, Never>?, PaginatorExecution?) in
            guard state.outcome == nil else { return (nil, nil) }
            state.outcome = outcome
            defer {
                state.waiter = nil
                state.execution = nil
            }
            return (state.waiter, state.execution)
        }
        waiter?.resume(returning: outcome)
        withExtendedLifetime(execution) {}
    }
}

extension PaginatorError {
    /// The answer to a task that was cancelled.
    static let taskCancelled = PaginatorError(.cancelled, "The task was cancelled.")
}
