import Dispatch
import PaginatorCore

/// The answers to a call, for which a contract waits for a limited time.
final class ContractAnswer<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var values: [Value] = []
        var handle: SourceCancellation?
    }

    private let state = Guarded(State())
    private let first = DispatchSemaphore(value: 0)

    func take(_ value: Value) {
        let (isFirst, handle) = state.withLock { state in
            state.values.append(value)
            defer { state.handle = nil }
            return (state.values.count == 1, state.handle)
        }
        // Released without the lock, because what it retains is the user's.
        withExtendedLifetime(handle) {}
        if isFirst { first.signal() }
    }

    /// Retains the handle of a call until its first answer, as a paginator does.
    func keep(_ handle: SourceCancellation) {
        state.withLock { state in
            if state.values.isEmpty { state.handle = handle }
        }
    }

    /// The number of answers.
    var count: Int { state.withLock { $0.values.count } }

    /// Blocks until the first answer; returns `nil` if there is none in time.
    func wait(_ limit: Duration) -> Value? {
        let nanoseconds = Int(clamping: max(0, limit.wholeNanoseconds))
        guard first.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return nil }
        first.signal()
        return state.withLock { $0.values.first }
    }
}

/// The limit of a contract's waits.
struct ContractLimit: Sendable {
    /// The longest real time of one call.
    let time: Duration
    let fail: @Sendable (String) -> Void
    // Whether a call had no answer, of up to thousands that a case makes. Later calls get no time, so a missing answer
    // of theirs proves nothing.
    private let hangs = Guarded(false)

    init(_ time: Duration, fail: @escaping @Sendable (String) -> Void) {
        self.time = time
        self.fail = fail
    }

    /// Blocks until the call is answered; the first one without an answer in time is a failure.
    func wait<Value: Sendable>(for answer: ContractAnswer<Value>, to call: String) -> Value? {
        let value = answer.wait(hangs.withLock { $0 } ? .zero : time)
        if value == nil, !hangs.replace(with: true) {
            fail("\(call) was not answered within \(time); later calls are not waited for")
        }
        return value
    }
}
