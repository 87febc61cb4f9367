import PaginatorCore

/// A call with callbacks whose answers a task takes one by one; it ends with whoever holds it.
final class RunningCall<Answer: Sendable>: Sendable {
    private let channel = Channel(WaitingAnswers<Answer>())
    private let execution = Guarded<PaginatorExecution?>(nil)
    private let hasStarted = OnceFlag()
    private let start: @Sendable (Channel<WaitingAnswers<Answer>>) -> PaginatorExecution

    /// - Parameter start: starts the call, which puts its answers into the channel and finishes that.
    init(_ start: @escaping @Sendable (Channel<WaitingAnswers<Answer>>) -> PaginatorExecution) {
        self.start = start
    }

    deinit {
        // Does nothing to a call that is over.
        execution.withLock { $0 }?.cancel()
    }

    /// Starts the call, the first time, and waits for its next answer; `nil` at the end.
    ///
    /// - Throws: ``PaginatorError/Code/cancelled`` in a cancelled task.
    nonisolated(nonsending) func next() async throws(PaginatorError) -> Answer? {
        guard !Task.isCancelled else { throw .taskCancelled }
        // Once, also when copies of the iterator ask at the same time; nothing is fetched before the first asks.
        if hasStarted.take() {
            let started = start(channel)
            execution.withLock { $0 = started }
        }
        let answer = await channel.next()
        guard !Task.isCancelled else {
            // The iterator may live on, in a copy or a variable, and its loads are not to run for nobody.
            execution.withLock { $0 }?.cancel()
            throw .taskCancelled
        }
        return answer
    }
}

/// What a call has told and nobody has taken, in order. A call has few answers: pages are loaded whether somebody takes
/// them or not, and those that wait are in the caches anyway.
struct WaitingAnswers<Answer: Sendable>: ChannelBuffer {
    private var waiting: [Answer] = []

    mutating func append(_ answer: Answer) {
        waiting.append(answer)
    }

    mutating func takeFirst() -> Answer? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}
