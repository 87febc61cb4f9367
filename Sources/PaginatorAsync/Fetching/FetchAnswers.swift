import PaginatorCore

/// One fetch whose previews and answer a task takes one by one; it ends with whoever holds it.
final class FetchAnswers<T: Sendable>: Sendable {
    typealias Answer = Result<FetchedPage<T>, PaginatorError>

    private let paginator: any Paginator<T>
    private let request: PageRequest
    private let channel = Channel(AnswerBuffer<T>())
    private let execution = Guarded<PaginatorExecution?>(nil)
    private let hasStarted = OnceFlag()

    init(_ paginator: any Paginator<T>, _ request: PageRequest) {
        self.paginator = paginator
        self.request = request
    }

    deinit {
        // An answered fetch takes no notice.
        execution.withLock { $0 }?.cancel()
    }

    /// Starts the fetch, the first time, and waits for its next answer; `nil` at the end and in a cancelled task.
    nonisolated(nonsending) func next() async -> Answer? {
        if hasStarted.take() {
            let started = paginator.fetch(request, listener: AnswerListener(channel))
            execution.withLock { $0 = started }
        }
        let answer = await channel.next()
        if Task.isCancelled { execution.withLock { $0 }?.cancel() }
        return answer
    }
}

/// What a fetch has told and nobody has taken: a preview and the answer at most.
private struct AnswerBuffer<T: Sendable>: ChannelBuffer {
    private var waiting: [FetchAnswers<T>.Answer] = []

    mutating func append(_ answer: FetchAnswers<T>.Answer) {
        waiting.append(answer)
    }

    mutating func takeFirst() -> FetchAnswers<T>.Answer? {
        waiting.isEmpty ? nil : waiting.removeFirst()
    }
}

/// `@unchecked Sendable`: its only state never changes.
private final class AnswerListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let channel: Channel<AnswerBuffer<T>>

    init(_ channel: Channel<AnswerBuffer<T>>) {
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
