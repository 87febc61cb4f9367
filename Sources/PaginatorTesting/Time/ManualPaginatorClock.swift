import Dispatch
public import PaginatorCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A clock that moves only when a test moves it.
///
/// Wait until the code under test has armed its timer, then advance; no test sleeps:
///
/// ```swift
/// let clock = ManualPaginatorClock()
/// config.clock = clock
/// paginator.fetch(key: "0", pageSize: 30, listener: listener)
/// try await clock.waitForTimer()
/// clock.advance(by: .seconds(30))
/// ```
///
/// With a ``SimulatedExecutor`` and `simulate(on:clock:)`, nothing needs waiting: ``advance(by:)`` runs the executor's
/// work before the first timer and after each one, on the calling thread, which must be the one of that work.
/// ``advanceToNextTimer()`` runs none.
///
/// Otherwise every method may be called from any thread. Timers' handlers run one at a time, in the order of their
/// deadlines, and for equal deadlines in the order in which they were armed. While a handler runs, the clock shows its
/// deadline.
public final class ManualPaginatorClock: PaginatorClock {
    struct Armed: Sendable {
        var deadline: PaginatorInstant
        let order: Int
        let handler: @Sendable () -> Void
    }

    struct State: Sendable {
        var now: PaginatorInstant
        /// The clock's time once every timer before it has fired.
        var target: PaginatorInstant
        /// The wall-clock time minus the time since ``PaginatorInstant/zero``.
        var wallOrigin: Date
        var armed: [Int: Armed] = [:]
        var timesArmed = 0
        var lastTimer = 0
        /// The thread that is firing timers; ``ThreadID/none`` for a queue that was asked to.
        var firing: ThreadID?
        /// An advance does its work before time goes on.
        var executor: SimulatedExecutor?

        var nextArmed: (id: Int, timer: Armed)? {
            // A dictionary has no order; equal deadlines fire in the order in which they were armed.
            let next = armed.min {
                ($0.value.deadline, $0.value.order) < ($1.value.deadline, $1.value.order)
            }
            return next.map { ($0.key, $0.value) }
        }
    }

    let handshake: Handshake<State>
    private let queue = DispatchQueue(label: "paginator.testing.clock")

    /// Creates a clock that stands still.
    ///
    /// - Parameters:
    ///   - now: the initial monotonic time; zero by default.
    ///   - wallTime: the initial wall-clock time; the beginning of 2026 (UTC) by default.
    public init(now: PaginatorInstant = .zero, wallTime: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        let origin = wallTime.addingTimeInterval(-PaginatorInstant.zero.duration(to: now).inSeconds)
        handshake = Handshake(State(now: now, target: now, wallOrigin: origin))
    }

    /// The monotonic time.
    public var now: PaginatorInstant { handshake.read(\.now) }

    /// The wall-clock time. It advances with the monotonic time, and jumps by ``moveWallTime(by:)``.
    public var wallTime: Date {
        handshake.read { $0.wallOrigin.addingTimeInterval(PaginatorInstant.zero.duration(to: $0.now).inSeconds) }
    }

    /// Creates a timer that is not armed yet.
    ///
    /// - Parameter handler: called at the deadline, on the thread that advances the clock. If the deadline had passed
    ///   when the timer was armed, the executor of `simulate(on:clock:)` calls it, whoever armed it, or without one a
    ///   queue of the clock.
    public func makeTimer(_ handler: @escaping @Sendable () -> Void) -> any PaginatorTimer {
        let id = handshake.update { state in
            state.lastTimer += 1
            return state.lastTimer
        }
        return ManualTimer(clock: self, id: id, handler: handler)
    }

    /// Changes only the wall-clock time, as when a user sets the clock.
    ///
    /// - Parameter duration: the change; negative values go back.
    public func moveWallTime(by duration: Duration) {
        handshake.update { $0.wallOrigin = $0.wallOrigin.addingTimeInterval(duration.inSeconds) }
    }

    func arm(_ id: Int, at deadline: PaginatorInstant, handler: @escaping @Sendable () -> Void) {
        let (replaced, fireNow, executor) = handshake.update { state -> (Armed?, Bool, SimulatedExecutor?) in
            state.timesArmed += 1
            let timer = Armed(deadline: deadline, order: state.timesArmed, handler: handler)
            let replaced = state.armed.updateValue(timer, forKey: id)
            // The thread that is firing fires this timer, too.
            guard deadline <= state.now, state.firing == nil else { return (replaced, false, nil) }
            // Until the executor runs nobody fires, and an advance must not wait for it.
            if state.executor == nil { state.firing = ThreadID.none }
            return (replaced, true, state.executor)
        }
        // Its handler is released here, without the lock.
        _ = replaced
        guard fireNow else { return }
        // Later or on another thread, because no handler runs inside a call of its timer.
        if let executor {
            executor.run { self.advanceBesideExecutor(to: deadline) }
        } else {
            queue.async { self.fire() }
        }
    }

    func disarm(_ id: Int) {
        // Returned, so that the handler's references are released outside the lock.
        _ = handshake.update { $0.armed.removeValue(forKey: id) }
    }

    /// Makes advances run an executor's work, instead of that of an earlier one.
    func join(_ executor: SimulatedExecutor) {
        var executor: SimulatedExecutor? = executor
        // An earlier one is released without the lock.
        handshake.update { swap(&$0.executor, &executor) }
    }

    /// Fires due timers until the target is reached, and does an executor's work before each. The caller has set
    /// `firing`.
    func fire(with executor: SimulatedExecutor? = nil) {
        let thread = ThreadID.current
        while true {
            // What follows from one timer may disarm the next, or arm an earlier one.
            executor?.runAll()
            guard let handler = takeDue(thread) else { return }
            handler()
        }
    }

    private func takeDue(_ thread: ThreadID) -> (@Sendable () -> Void)? {
        handshake.update { state -> (@Sendable () -> Void)? in
            // In one step with the decision that nothing is due, so that a timer armed later starts its own firing.
            guard let (id, timer) = state.nextArmed, timer.deadline <= state.target else {
                state.now = state.target
                state.firing = nil
                return nil
            }
            state.firing = thread
            // A handler sees its own deadline, even if the clock is advanced far beyond it.
            state.now = max(state.now, timer.deadline)
            state.armed.removeValue(forKey: id)
            return timer.handler
        }
    }
}

/// A timer of a manual clock.
private final class ManualTimer: PaginatorTimer {
    private let clock: ManualPaginatorClock
    private let id: Int
    private let handler: @Sendable () -> Void

    init(clock: ManualPaginatorClock, id: Int, handler: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.id = id
        self.handler = handler
    }

    deinit {
        // As with the device's clock, a released timer does not fire.
        clock.disarm(id)
    }

    func arm(at deadline: PaginatorInstant) {
        clock.arm(id, at: deadline, handler: handler)
    }

    func disarm() {
        clock.disarm(id)
    }
}
