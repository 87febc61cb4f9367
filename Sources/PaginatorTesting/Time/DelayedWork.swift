import PaginatorCore

/// Does work later, on a clock, as long as it lives: each timer is kept until it has fired.
final class DelayedWork: Sendable {
    private struct State: Sendable {
        var timers: [Int: any PaginatorTimer] = [:]
        var lastTimer = 0
    }

    private let clock: any PaginatorClock
    private let state = Guarded(State())

    init(clock: any PaginatorClock) {
        self.clock = clock
    }

    /// Does work after a delay. What owns this must not be held by the work.
    func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
        let id = state.withLock { state in
            state.lastTimer += 1
            return state.lastTimer
        }
        let timer = clock.makeTimer { [weak self] in
            guard let self else { return }
            let timer = state.withLock { $0.timers.removeValue(forKey: id) }
            work()
            withExtendedLifetime(timer) {}
        }
        // Before it is armed: it may fire at once, and takes itself out.
        state.withLock { $0.timers[id] = timer }
        timer.arm(at: clock.now.advanced(by: delay))
    }
}
