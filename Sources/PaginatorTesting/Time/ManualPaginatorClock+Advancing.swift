public import PaginatorCore

extension ManualPaginatorClock {
    /// Advances both times, and fires every timer that becomes due, on the calling thread.
    ///
    /// When it returns, these timers have fired, including those armed on the way, and what they caused on the executor
    /// of `simulate(on:clock:)` is done, in order. If another thread is advancing the clock, it waits for that.
    ///
    /// Called from a handler or a callback, it returns at once, and timers fire after that handler or callback. If no
    /// timer becomes due, and no other advance is running, time moves before it returns, so work that waits on the
    /// executor sees the later time, as if the callback had taken that long.
    ///
    /// - Parameter duration: the duration. Negative values count as zero, which fires timers that are due now.
    public func advance(by duration: Duration) {
        moveWithWork { $0.target.advanced(by: duration) }
    }

    /// Advances both times to an instant, like ``advance(by:)``.
    ///
    /// - Parameter instant: the new time. An instant in the past only fires timers that are due now.
    public func advance(to instant: PaginatorInstant) {
        moveWithWork { _ in instant }
    }

    /// Advances to the earliest deadline of an armed timer, and fires the timers that are due then.
    ///
    /// It runs no work of an executor: the test does, before and after it, in the order that it wants.
    ///
    /// ```swift
    /// var random = SeededRandom(seed: 1)
    /// repeat { executor.runAll(using: &random) } while clock.advanceToNextTimer() != nil
    /// ```
    ///
    /// - Returns: the deadline; `nil`, without advancing, if no timer is armed.
    @discardableResult
    public func advanceToNextTimer() -> PaginatorInstant? {
        guard let next = armedDeadlines.first else { return nil }
        advanceBesideExecutor(to: next)
        return next
    }

    /// Simulates a sleep of the device: both times advance, and timers do not. So each armed timer fires that much
    /// later, unless it is armed again. `SystemPaginatorClock` makes up for most of a sleep: its timers are late by
    /// about ten seconds at most.
    ///
    /// - Parameter duration: the duration. Negative values count as zero.
    package func sleep(_ duration: Duration) {
        let duration = max(.zero, duration)
        handshake.update { state in
            // The rest of each wait stays the same, also of another thread's running move.
            state.now = state.now.advanced(by: duration)
            state.target = state.target.advanced(by: duration)
            state.armed = state.armed.mapValues { timer in
                var timer = timer
                timer.deadline = timer.deadline.advanced(by: duration)
                return timer
            }
        }
    }

    /// The deadlines of the armed timers, earliest first.
    package var armedDeadlines: [PaginatorInstant] {
        handshake.read { $0.armed.values.map(\.deadline).sorted() }
    }

    /// The number of times that timers were armed; each new deadline counts.
    package var timesArmed: Int { handshake.read(\.timesArmed) }

    /// Waits until a timer is armed with a deadline at or before an instant.
    ///
    /// - Parameter instant: the latest deadline that counts; any by default.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func waitForTimer(
        atOrBefore instant: PaginatorInstant = PaginatorInstant(nanoseconds: .max)
    ) async throws(CancellationError) {
        try await handshake.wait { $0.armed.values.contains { $0.deadline <= instant } }
    }

    /// Waits until ``timesArmed`` has reached a number.
    ///
    /// - Parameter total: the number of times since the clock was created.
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func waitUntilTimesArmed(_ total: Int) async throws(CancellationError) {
        try await handshake.wait { $0.timesArmed >= total }
    }

    /// Blocks the thread until a timer is armed: ``waitForTimer(atOrBefore:)`` for synchronous tests.
    ///
    /// - Parameter instant: the latest deadline that counts; any by default.
    @available(*, noasync, message: "use waitForTimer(atOrBefore:)")
    public func blockForTimer(atOrBefore instant: PaginatorInstant = PaginatorInstant(nanoseconds: .max)) {
        handshake.block { $0.armed.values.contains { $0.deadline <= instant } }
    }

    /// Advances to an instant without the executor's work, which its own thread does later.
    ///
    /// - Parameter instant: the new time, as for ``advance(to:)``.
    package func advanceBesideExecutor(to instant: PaginatorInstant) {
        move(with: nil) { _ in instant }
    }

    private func moveWithWork(_ target: @escaping @Sendable (State) -> PaginatorInstant) {
        let (joined, isDue) = handshake.read { state in
            (state.executor, state.nextArmed.map { $0.timer.deadline <= target(state) } ?? false)
        }
        guard let executor = joined, executor.isRunning else { return move(with: joined, target) }
        // Callbacks do not run inside a callback: what a timer causes comes after it, and so must the timer.
        if isDue { executor.run { self.move(with: executor, target) } } else { move(with: nil, target) }
    }

    private func move(with executor: SimulatedExecutor?, _ target: (State) -> PaginatorInstant) {
        let mine = ThreadID.current
        let part = handshake.update { state -> Part in
            // Never backwards: code need not handle time that goes back.
            state.target = max(state.target, target(state))
            // One thread fires at a time, so that handlers run in order; other threads only move its target.
            guard let firing = state.firing else {
                state.firing = mine
                return .fire
            }
            return firing == mine ? .leave : .wait
        }
        switch part {
        case .fire: fire(with: executor)
        // When `advance` returns, everything due has fired, on whichever thread.
        case .wait: handshake.block { $0.firing == nil }
        case .leave: break
        }
    }

    /// The calling thread's part in a move.
    private enum Part: Sendable { case fire, wait, leave }
}
