/// The calls of the data source that are under way, by task.
///
/// A call is registered before the source is called, so that whoever stops it finds it, and its handle arrives after.
package final class SourceCalls: Sendable {
    private struct Call: Sendable {
        var cancellation: SourceCancellation?
        var hasAnswered = false
        /// Why a newer page could not be had, where the source says that its answer stands in for one.
        var standsInFor: PaginatorError?
    }

    private let calls = Guarded([UInt64: Call]())

    /// Makes an empty register.
    init() {}

    /// The number of calls under way.
    package var count: Int { calls.withLock { $0.count } }

    /// Registers a call that is about to be made.
    package func begin(_ task: UInt64) {
        calls.withLock { $0[task] = Call() }
    }

    /// Takes the handle of a call that has been made; cancels at once when the call was stopped meanwhile.
    package func made(_ task: UInt64, _ cancellation: SourceCancellation) {
        let isWanted = calls.withLock { calls in
            guard let call = calls[task] else { return false }
            if call.hasAnswered {
                calls[task] = nil
            } else {
                calls.change(task) { $0.cancellation = cancellation }
            }
            return true
        }
        if !isWanted { cancellation.cancel() }
    }

    /// Notes that the answer to come stands in for a newer page that failed to come.
    func answerStandsIn(_ task: UInt64, for error: PaginatorError) {
        calls.withLock { calls in
            _ = calls.change(task) { $0.standsInFor = error }
        }
    }

    /// Notes an answer, before it is handed on. The call stays registered until its handle has come.
    ///
    /// - Returns: why a newer page could not be had, where the answer stands in for one.
    @discardableResult
    package func answered(_ task: UInt64) -> PaginatorError? {
        // Released outside the lock: its handle is the user's.
        let call = calls.withLock { calls -> Call? in
            guard let call = calls[task] else { return nil }
            if call.cancellation == nil {
                calls.change(task) { $0.hasAnswered = true }
            } else {
                calls[task] = nil
            }
            return call
        }
        return call?.standsInFor
    }

    /// Stops a call that has not answered.
    package func stop(_ task: UInt64) {
        let call = calls.withLock { $0.removeValue(forKey: task) }
        guard let call, !call.hasAnswered else { return }
        call.cancellation?.cancel()
    }
}
