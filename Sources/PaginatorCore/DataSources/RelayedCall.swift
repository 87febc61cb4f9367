/// One call of a data source that hands its work to others, one after the other: one answer, and cancel reaches
/// whichever runs.
///
/// Each part of the work has a number. An answer of a part that is over, or a second answer, finds its number taken back
/// and is ignored.
package final class RelayedCall<T: Sendable>: Sendable {
    package typealias Completion = @Sendable (Result<PaginatorPage<T>, SourceError>) -> Void

    private struct State: Sendable {
        /// `nil` once the call is over.
        var completion: Completion?
        var lastPart = 0
        /// The part that runs; `nil` between two parts.
        var part: Int?
        /// The part that ran when the call was cancelled.
        var stoppedPart: Int?
        var cancellation: SourceCancellation?
    }

    private let state: Guarded<State>

    package init(completion: @escaping Completion) {
        state = Guarded(State(completion: completion))
    }

    /// Begins a part; `nil` when the call is over.
    package func begin() -> Int? {
        state.withLock { state in
            guard state.completion != nil else { return nil }
            state.lastPart += 1
            state.part = state.lastPart
            state.cancellation = nil
            return state.lastPart
        }
    }

    /// Keeps how to stop a part, or stops it at once when the call was cancelled meanwhile.
    package func hold(_ cancellation: SourceCancellation, of part: Int) {
        let stops = state.withLock { state in
            if state.part == part { state.cancellation = cancellation }
            return state.stoppedPart == part
        }
        if stops { cancellation.cancel() }
    }

    /// Ends a part, and says whether it was the one that runs.
    package func finish(_ part: Int) -> Bool {
        let (wasRunning, released) = state.withLock { state -> (Bool, SourceCancellation?) in
            guard state.part == part else { return (false, nil) }
            let released = state.cancellation
            state.part = nil
            state.cancellation = nil
            return (true, released)
        }
        _ = released
        return wasRunning
    }

    /// Asks a source, as one part of the call.
    package func run<R: Sendable>(
        _ source: any PaginatorDataSource<R>,
        _ request: SourceRequest,
        then: @escaping @Sendable (Result<PaginatorPage<R>, SourceError>) -> Void
    ) {
        guard let part = begin() else { return }
        let cancellation = source.fetch(request) { result in
            if self.finish(part) { then(result) }
        }
        hold(cancellation, of: part)
    }

    /// Gives the one answer; ignored when the call is over.
    package func end(_ result: Result<PaginatorPage<T>, SourceError>) {
        takeOver(stopping: false).completion?(result)
    }

    /// Stops the part that runs; no answer is given any more.
    package func cancel() {
        takeOver(stopping: true).cancellation?.cancel()
    }

    private func takeOver(stopping: Bool) -> (completion: Completion?, cancellation: SourceCancellation?) {
        state.withLock { state in
            let taken = (state.completion, state.cancellation)
            if stopping { state.stoppedPart = state.part }
            state.completion = nil
            state.cancellation = nil
            state.part = nil
            return taken
        }
    }
}
