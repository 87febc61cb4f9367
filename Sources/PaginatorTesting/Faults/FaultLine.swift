import PaginatorCore

/// The path of answers, on which faults delay, duplicate, reorder and drop them.
final class FaultLine: Sendable {
    private struct State: Sendable {
        var overtaken: [Int: @Sendable () -> Void] = [:]
        var lastCall = 0
    }

    private let delays: DelayedWork
    private let state = Guarded(State())

    init(clock: any PaginatorClock) {
        delays = DelayedWork(clock: clock)
    }

    /// Makes a call with a fault.
    ///
    /// - Parameters:
    ///   - fault: the fault.
    ///   - failure: makes the answer of a failure.
    ///   - completion: called with the answers.
    ///   - body: makes the real call; not called if the call is lost.
    /// - Returns: the result of `body`; `nil` if it was not called.
    func call<Value: Sendable, R>(
        _ fault: Fault,
        failure: (any Error) -> Value,
        completion: @escaping @Sendable (Value) -> Void,
        body: (@escaping @Sendable (Value) -> Void) -> R
    ) -> R? {
        let number = state.withLock { state in
            state.lastCall += 1
            return state.lastCall
        }
        switch fault.outcome {
        case .answer:
            return body { self.send($0, fault, number, completion) }
        case .loss:
            return nil
        case .hang:
            return body { _ in }
        case .failure(let error):
            send(failure(error), fault, number, completion)
            return nil
        case .failureAfterwards(let error):
            let answer = failure(error)
            return body { _ in self.send(answer, fault, number, completion) }
        }
    }

    private func send<Value: Sendable>(
        _ value: Value, _ fault: Fault, _ number: Int, _ completion: @escaping @Sendable (Value) -> Void
    ) {
        let give: @Sendable () -> Void = {
            completion(value)
            if fault.isDuplicated { completion(value) }
        }
        guard fault.delay > .zero else { return arrive(number, fault.overtakenWithin, give) }
        delays.after(fault.delay) { [weak self] in self?.arrive(number, fault.overtakenWithin, give) }
    }

    private func arrive(_ number: Int, _ limit: Duration?, _ give: @escaping @Sendable () -> Void) {
        if let limit {
            state.withLock { $0.overtaken[number] = give }
            return delays.after(limit) { [weak self] in self?.release { $0 == number } }
        }
        give()
        release { $0 < number }
    }

    /// Delivers the held answers of matching calls, in the order of the calls.
    private func release(_ matches: (Int) -> Bool) {
        let released = state.withLock { state in
            let numbers = state.overtaken.keys.filter(matches).sorted()
            return numbers.compactMap { state.overtaken.removeValue(forKey: $0) }
        }
        for give in released { give() }
    }
}
