import PaginatorCore

/// Runs work at a time of a clock, unless it is released before. It retains each timer until it has fired.
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

    /// The clock's time.
    var now: PaginatorInstant { clock.now }

    /// Runs work after a delay. The work must not retain the owner of this object.
    func after(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
        run(at: now.advanced(by: delay), work)
    }

    /// Runs work at a time, soon if it has passed. The work must not retain the owner of this object.
    func run(at time: PaginatorInstant, _ work: @escaping @Sendable () -> Void) {
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
        // Before it is armed, because it may fire at once and remove itself.
        state.withLock { $0.timers[id] = timer }
        timer.arm(at: time)
    }
}
