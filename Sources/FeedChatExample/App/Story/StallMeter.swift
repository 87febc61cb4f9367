import Dispatch
import PaginatorCore

/// Measures how long the main thread is blocked: requests a turn continuously, and records the longest wait.
final class StallMeter: Sendable {
    private struct State {
        var longest: Duration = .zero
        var turns = 0
        var isStopped = false
    }

    private let state = Guarded(State())

    init() {
        ask()
    }

    private func ask() {
        let asked = ContinuousClock.now
        DispatchQueue.main.async { [self] in
            let wait = ContinuousClock.now - asked
            let goesOn = state.withLock { state in
                state.longest = max(state.longest, wait)
                state.turns += 1
                return !state.isStopped
            }
            guard goesOn else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { self.ask() }
        }
    }

    /// Stops, and returns the longest wait and the number of requested turns.
    func stop() -> (longest: Duration, turns: Int) {
        state.withLock { state in
            state.isStopped = true
            return (state.longest, state.turns)
        }
    }
}
