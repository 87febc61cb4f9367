/// One call of a data source that hands its work to others, one after the other: one answer, and cancel reaches
/// whichever runs.
///
/// Each part of the work has a number. An answer of a part that is over, or a second answer, finds its number taken back
/// and is ignored.
final class RelayedCall<T: Sendable>: Sendable {
    typealias Completion = @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void

    private struct State: Sendable {
        /// `nil` once the call is over.
        var completion: Completion?
        var lastPart = 0
        /// The part that runs; `nil` between two parts.
        var part: Int?
        /// Parts that were stopped; of one that blocks, how to stop it comes later.
        var stoppedParts: [Int] = []
        var cancellation: SourceCancellation?
        /// Limits the time of the part that runs.
        var timer: (any PaginatorTimer)?

        /// Takes out what belongs to the part that runs, to be let go of outside the lock.
        mutating func endPart() -> (cancellation: SourceCancellation?, timer: (any PaginatorTimer)?) {
            defer { (part, cancellation, timer) = (nil, nil, nil) }
            return (cancellation, timer)
        }
    }

    private let state: Guarded<State>

    init(completion: @escaping Completion) {
        state = Guarded(State(completion: completion))
    }

    /// Begins a part; `nil` when the call is over.
    func begin() -> Int? {
        state.withLock { state in
            guard state.completion != nil else { return nil }
            state.lastPart += 1
            state.part = state.lastPart
            state.cancellation = nil
            return state.lastPart
        }
    }

    /// Keeps how to stop a part, or stops it at once when the call was cancelled meanwhile.
    func hold(_ cancellation: SourceCancellation, of part: Int) {
        let stops = state.withLock { state in
            if state.part == part { state.cancellation = cancellation }
            return state.stoppedParts.contains(part)
        }
        if stops { cancellation.cancel() }
    }

    /// Ends a part, and says whether it was the one that runs.
    func finish(_ part: Int) -> Bool {
        let released = state.withLock { $0.part == part ? $0.endPart() : nil }
        defer { withExtendedLifetime(released) {} }
        return released != nil
    }

    /// Stops a part that takes more than its time, and goes on without it; called once a part, before it may block.
    ///
    /// - Parameters:
    ///   - part: the part that runs.
    ///   - time: how long it may take.
    ///   - request: what the call was asked for; it leads to the paginator's clock.
    ///   - then: goes on, where calls may block.
    func limit(
        _ part: Int, to time: Duration, of request: SourceRequest, then: @escaping @Sendable (SourceError) -> Void
    ) {
        let clock = request.clock
        let executor = request.context.caller?.executor ?? QueueExecutor.work
        let timer = clock.makeTimer { [weak self] in
            executor.run { [weak self] in
                guard let self, self.giveUp(part) else { return }
                then(.retry(PaginatorError(.timedOut, "One of several sources did not answer within \(time).")))
            }
        }
        let isRunning = state.withLock { state in
            guard state.part == part else { return false }
            state.timer = timer
            return true
        }
        if isRunning { timer.arm(at: clock.now.advanced(by: time)) }
    }

    /// Stops a part, and says whether it was the one that runs.
    private func giveUp(_ part: Int) -> Bool {
        let given = state.withLock { state in
            guard state.part == part else { return nil as (SourceCancellation?, (any PaginatorTimer)?)? }
            state.stoppedParts.append(part)
            return state.endPart()
        }
        given?.0?.cancel()
        return given != nil
    }

    /// Asks a source, as one part of the call.
    ///
    /// - Parameter begun: called with the part before the source is.
    func run<R: Sendable>(
        _ source: any PaginatorDataSource<R>,
        _ request: SourceRequest,
        begun: (Int) -> Void = { _ in },
        then: @escaping @Sendable (Result<PaginatorPage<R>, SourceError>) -> Void
    ) {
        guard let part = begin() else { return }
        begun(part)
        let cancellation = source.fetch(request) { result in
            if self.finish(part) { then(result) }
        }
        hold(cancellation, of: part)
    }

    /// Gives the one answer; ignored when the call is over.
    func end(_ result: Result<PaginatorPage<T>, SourceError>) {
        takeOver(stopping: false).completion?(result)
    }

    /// Stops the part that runs; no answer is given any more.
    func cancel() {
        takeOver(stopping: true).cancellation?.cancel()
    }

    private func takeOver(stopping: Bool) -> (completion: Completion?, cancellation: SourceCancellation?) {
        let (completion, ended) = state.withLock { state in
            if stopping, let part = state.part { state.stoppedParts.append(part) }
            defer { state.completion = nil }
            return (state.completion, state.endPart())
        }
        return (completion, ended.cancellation)
    }
}
