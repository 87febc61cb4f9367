public import PaginatorCore

/// A paginator that delivers what the test says, and records every call; for tests of code that uses a paginator.
///
/// A fetch takes the next step scripted for its key, otherwise the next step for any key, otherwise what `otherwise`
/// returns. Without all three it ends with ``/PaginatorCore/PaginatorError/Code/sourceFailed``. A fetch around a page
/// takes a step for each page, and goes on by the keys in those pages. Each listener gets exactly one end, also after a
/// cancellation.
///
/// ```swift
/// let paginator = ScriptedPaginator<Post>()
/// paginator.script([.page(first), .fail(PaginatorError(.offline, "No network."))], forKey: "0")
/// let model = FeedModel(paginator)
/// ```
///
/// Callbacks run one at a time, on a queue of the paginator's own or on an executor of the test, never on the main
/// queue.
public final class ScriptedPaginator<T: Sendable>: Paginator {
    private struct State: Sendable {
        var calls: [PaginatorCall] = []
        var script = StepScript<FetchStep<T>>()
        var cancelled = 0
    }

    private let handshake = Handshake(State())
    private let answers: AnswerQueue
    private let delays: DelayedWork
    private let otherwise: (@Sendable (PageRequest) -> FetchStep<T>)?

    /// Makes a paginator.
    ///
    /// - Parameters:
    ///   - clock: the clock of delays, the device's by default; pass the test's manual clock.
    ///   - executor: runs callbacks; `nil`, the default, takes a serial queue of the paginator's own.
    ///   - otherwise: returns the step of a page for which nothing is scripted; called on the thread of the call.
    public init(
        clock: any PaginatorClock = SystemPaginatorClock(), executor: SimulatedExecutor? = nil,
        otherwise: (@Sendable (PageRequest) -> FetchStep<T>)? = nil
    ) {
        delays = DelayedWork(clock: clock)
        answers = AnswerQueue(executor, label: "paginator.testing.paginator")
        self.otherwise = otherwise
    }

    /// Makes a paginator that reports each fetch for which nothing is scripted as a failure of the test, and ends it
    /// with an error.
    ///
    /// - Parameters:
    ///   - file: the file in which failures are reported; the caller's by default.
    ///   - line: the line of that file; the caller's by default.
    ///   - report: takes each failure; called on the thread of the fetch.
    public convenience init(
        file: StaticString = #filePath, line: UInt = #line, unexpected report: @escaping FailureReport
    ) {
        self.init(otherwise: { request in
            let error = UnexpectedCall(call: "Paginator.fetch(\(request.identity))")
            report(error.description, file, line)
            return .fail(PaginatorError(.sourceFailed, error.description, underlying: error))
        })
    }

    /// Adds steps for pages of any key, taken in order.
    public func script(_ steps: [FetchStep<T>]) {
        handshake.update { $0.script.add(steps) }
    }

    /// Adds steps for the pages of one key, taken before those for any key.
    public func script(_ steps: [FetchStep<T>], forKey key: String) {
        handshake.update { $0.script.add(steps, forKey: key) }
    }

    /// Every call so far, in order.
    public var calls: [PaginatorCall] { handshake.read(\.calls) }

    /// The number of fetches that were cancelled before they ended.
    public var cancelledFetches: Int { handshake.read(\.cancelled) }

    /// Waits until a number of calls have come.
    ///
    /// - Parameter count: how many, since the paginator was made.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await handshake.wait { $0.calls.count >= count }
    }

    /// Records the call, and delivers the next step of its key.
    @discardableResult
    public func fetch(_ request: PageRequest, listener: PaginatorFetchListener<T>) -> PaginatorExecution {
        handshake.update { $0.calls.append(.fetch(request)) }
        let step = step(for: request)
        let ended = OnceFlag()
        if !step.previews.isEmpty {
            answers.run {
                for page in step.previews where !ended.isTaken { listener.fetchDidPreview(page) }
            }
        }
        if let end = step.end {
            after(step.delay) { if ended.take() { listener.fetchDidEnd(end) } }
        }
        return execution(ended) { listener.fetchDidEnd(.failure($0)) }
    }

    /// Records the call, and delivers the next step of its key and then those of its neighbors.
    @discardableResult
    public func fetchAround(
        _ request: AroundRequest, listener: PaginatorFetchAroundListener<T>
    ) -> PaginatorExecution {
        handshake.update { $0.calls.append(.fetchAround(request)) }
        let ended = OnceFlag()
        answers.run { [self] in
            guard let summary = deliver(request, to: listener, until: ended), ended.take() else { return }
            listener.fetchAroundDidEnd(summary)
        }
        return execution(ended) { listener.fetchAroundDidEnd(.failure($0)) }
    }

    /// Records the call.
    public func clear(key: String) {
        handshake.update { $0.calls.append(.clear(key: key)) }
    }

    /// Delivers the asked page and its neighbors; `nil` when a step hangs.
    private func deliver(
        _ request: AroundRequest, to listener: PaginatorFetchAroundListener<T>, until ended: OnceFlag
    ) -> Result<AroundSummary, PaginatorError>? {
        let step = step(for: request.page)
        for page in step.previews where !ended.isTaken { listener.fetchAroundDidPreview(page) }
        guard let end = step.end, !ended.isTaken else { return nil }
        guard case .success(let asked) = end else { return end.map { _ in AroundSummary() } }
        listener.fetchAroundDidDeliver(asked, at: 0)
        var summary = AroundSummary(delivered: [0])
        var next = request.direction == .backward ? nil : asked.page.nextKey
        var previous = request.direction == .forward ? nil : asked.page.prevKey
        for distance in 1..<(max(0, request.depthLevel) + 1) {
            for side in [1, -1] {
                guard let key = side > 0 ? next : previous, !ended.isTaken else { continue }
                var page = request.page
                page.key = key
                guard let end = self.step(for: page).end else { return nil }
                let found = end.success
                if let found {
                    listener.fetchAroundDidDeliver(found, at: side * distance)
                    summary.delivered.append(side * distance)
                } else if let error = end.failure {
                    listener.fetchAroundDidFail(error, at: side * distance)
                    summary.failures[side * distance] = error
                }
                if side > 0 { next = found?.page.nextKey } else { previous = found?.page.prevKey }
            }
        }
        return .success(summary)
    }

    private func step(for request: PageRequest) -> FetchStep<T> {
        if let step = handshake.update({ $0.script.takeStep(for: request.key) }) { return step }
        return otherwise?(request) ?? .fail(PaginatorError(.sourceFailed, "Nothing was scripted for \(request.key)."))
    }

    private func execution(
        _ ended: OnceFlag, _ end: @escaping @Sendable (PaginatorError) -> Void
    ) -> PaginatorExecution {
        .custom { [answers, handshake] in
            guard ended.take() else { return false }
            handshake.update { $0.cancelled += 1 }
            answers.run { end(PaginatorError(.cancelled, "The fetch was cancelled.")) }
            return true
        }
    }

    private func after(_ delay: Duration?, _ body: @escaping @Sendable () -> Void) {
        guard let delay else { return answers.run(body) }
        delays.after(delay) { [answers] in answers.run(body) }
    }
}

extension Result {
    fileprivate var success: Success? { if case .success(let value) = self { value } else { nil } }
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
