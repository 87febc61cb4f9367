import PaginatorCore

/// A call with callbacks whose answers a task takes one by one. The call stops when this is released.
final class RunningCall<Answer: Sendable>: Sendable {
    private let channel = Channel(WaitingAnswers<Answer>())
    private let execution = Guarded<PaginatorExecution?>(nil)
    private let hasStarted = OnceFlag()
    private let start: @Sendable (Channel<WaitingAnswers<Answer>>) -> PaginatorExecution

    /// - Parameter start: starts the call, which puts its answers into the channel and finishes it.
    init(_ start: @escaping @Sendable (Channel<WaitingAnswers<Answer>>) -> PaginatorExecution) {
        self.start = start
    }

    deinit {
        // Has no effect after the call has ended.
        execution.withLock { $0 }?.cancel()
    }

    /// Starts the call the first time, and returns its next answer, waiting if necessary; `nil` at the end.
    ///
    /// - Throws: ``PaginatorError/Code/cancelled`` in a cancelled task.
    nonisolated(nonsending) func next() async throws(PaginatorError) -> Answer? {
        guard !Task.isCancelled else { throw .taskCancelled }
        // Once, also for concurrent copies of the iterator, and not before the first request.
        if hasStarted.take() {
            let started = start(channel)
            execution.withLock { $0 = started }
        }
        let answer = await channel.next()
        guard !Task.isCancelled else {
            // A copy or a variable may retain the iterator, but its loads must not continue unused.
            execution.withLock { $0 }?.cancel()
            throw .taskCancelled
        }
        return answer
    }
}

/// Answers that were not taken yet, in order.
struct WaitingAnswers<Answer: Sendable>: ChannelBuffer {
    private var waiting: [Answer] = []

    mutating func append(_ answer: Answer) {
        waiting.append(answer)
    }

    /// Puts a preview in the place of those that wait, and returns them, to be released outside the channel's lock.
    mutating func replace(with preview: Answer) -> [Answer] {
        defer { waiting = [preview] }
        return waiting
    }

    mutating func takeFirst() -> Answer? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}
