public import PaginatorCore

extension ManualPaginatorClock {
    /// Moves both times forward, and fires every timer that becomes due, on the calling thread.
    ///
    /// When it returns, these timers have fired, including those that were armed on the way. Called from a handler, it
    /// returns at once, and the clock moves after the handler. While another thread moves the clock, it waits for that
    /// thread.
    ///
    /// - Parameter duration: how far; negative values count as zero, which fires timers that are due now.
    public func advance(by duration: Duration) {
        move { $0.target.advanced(by: duration) }
    }

    /// Moves both times forward to an instant, as ``advance(by:)`` does.
    ///
    /// - Parameter instant: the new time; an instant in the past only fires timers that are due now.
    public func advance(to instant: PaginatorInstant) {
        move { _ in instant }
    }

    /// Moves to the earliest deadline of an armed timer, and fires the timers that are due then.
    ///
    /// - Returns: the deadline; `nil`, without a move, when no timer is armed.
    @discardableResult
    public func advanceToNextTimer() -> PaginatorInstant? {
        guard let next = armedDeadlines.first else { return nil }
        advance(to: next)
        return next
    }

    /// Lets the device sleep: both times go on, and timers stand still. So each armed timer fires later by as much, unless it
    /// is armed anew. `SystemPaginatorClock` makes up for most of a sleep: its timers are late by about ten seconds at most.
    ///
    /// - Parameter duration: how long; negative values count as zero.
    package func sleep(_ duration: Duration) {
        let duration = max(.zero, duration)
        handshake.update { state in
            // What is left of each wait stays the same, also of a move that is under way on another thread.
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

    /// The number of times that timers have been armed; each new deadline of a timer counts.
    package var timesArmed: Int { handshake.read(\.timesArmed) }

    /// Waits until a timer is armed with a deadline at or before an instant.
    ///
    /// - Parameter instant: the latest deadline that counts; every deadline counts by default.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForTimer(
        atOrBefore instant: PaginatorInstant = PaginatorInstant(nanoseconds: .max)
    ) async throws(CancellationError) {
        try await handshake.wait { $0.armed.values.contains { $0.deadline <= instant } }
    }

    /// Waits until ``timesArmed`` has reached a number.
    ///
    /// - Parameter total: how many times, since the clock was made.
    /// - Throws: `CancellationError` when the task is cancelled first.
    package func waitUntilTimesArmed(_ total: Int) async throws(CancellationError) {
        try await handshake.wait { $0.timesArmed >= total }
    }

    /// Blocks the thread until a timer is armed: ``waitForTimer(atOrBefore:)`` for synchronous tests.
    ///
    /// - Parameter instant: the latest deadline that counts; every deadline counts by default.
    @available(*, noasync, message: "use waitForTimer(atOrBefore:)")
    public func blockForTimer(atOrBefore instant: PaginatorInstant = PaginatorInstant(nanoseconds: .max)) {
        handshake.block { $0.armed.values.contains { $0.deadline <= instant } }
    }

    private func move(_ target: (State) -> PaginatorInstant) {
        let mine = ThreadID.current
        let part = handshake.update { state -> Part in
            // Never back: time that runs backwards is nothing that code has to bear.
            state.target = max(state.target, target(state))
            // One thread fires at a time, so that handlers run in order; the target that it goes to is raised instead.
            guard let firing = state.firing else {
                state.firing = mine
                return .fire
            }
            return firing == mine ? .leave : .wait
        }
        switch part {
        case .fire: fire()
        // When `advance` returns, everything due has fired, on whichever thread.
        case .wait: handshake.block { $0.firing == nil }
        case .leave: break
        }
    }

    /// What the calling thread does towards a move.
    private enum Part: Sendable { case fire, wait, leave }
}
