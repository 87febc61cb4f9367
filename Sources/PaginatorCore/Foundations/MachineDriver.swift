/// Runs a ``Machine``: feeds it one event at a time, performs its actions in order, and wakes it at its deadlines.
///
/// `lock` is held while the machine handles an event and its ordered actions are performed, so they have happened when
/// the call returns. Ordered actions only change objects of the library (caches, mailboxes, other machines) and run no
/// user code; an event that one of them feeds is handled after the earlier actions. Unordered actions are performed
/// without the lock. Objects that the machine drops are also released without it; see ``DeferredRelease``.
///
/// A machine that calls user code cannot have a driver: the handler of a ``SerialMailbox`` owns it.
///
/// `@unchecked Sendable`: `machine`, `reentered`, `spares`, `latest`, `armed`, `isArming` and `timer` are guarded by `lock`.
package final class MachineDriver<M: Machine & ~Copyable>: @unchecked Sendable {
    let clock: any PaginatorClock
    private let nextDeadline: @Sendable (borrowing M) -> PaginatorInstant?
    private let timeCame: @Sendable () -> Void
    private let lock = Lock()
    private var machine: M
    private var reentered: [M.Event] = []
    // One for each thread that performs actions; they keep their memory.
    private var spares: [MachineOutbox<M.Ordered, M.Unordered>] = []
    private var latest = PaginatorInstant.zero
    private var armed: PaginatorInstant?
    private var isArming = false
    private var timer: (any PaginatorTimer)?
    /// The number of the thread that holds the lock; zero if none does.
    private let holder = AtomicWord()

    /// - Parameters:
    ///   - clock: user code, so it is called without the lock.
    ///   - nextDeadline: returns the machine's next deadline; called under the lock.
    ///   - timeCame: called on the timer's thread at the deadline; it feeds the timer event. It should not retain the
    ///     shell.
    package init(
        _ machine: consuming sending M, clock: any PaginatorClock,
        nextDeadline: @escaping @Sendable (borrowing M) -> PaginatorInstant? = { $0.nextDeadline },
        timeCame: @escaping @Sendable () -> Void
    ) {
        self.machine = machine
        self.clock = clock
        self.nextDeadline = nextDeadline
        self.timeCame = timeCame
    }

    /// Feeds one event. Returns after its actions are performed, unless it is called by an ordered action.
    ///
    /// - Parameters:
    ///   - executor: releases dropped objects, for a thread that must not wait for user code in a `deinit`.
    ///   - ordered: performs one ordered action, which was decided at the given time; called under the lock.
    package func feed(
        _ event: M.Event, releasingOn executor: (any WorkExecutor)? = nil,
        ordered: (M.Ordered, PaginatorInstant) -> Void, unordered: (M.Unordered) -> Void
    ) {
        _ = feed(
            event, at: clock.now, releasingOn: executor, setsTimer: true, ordered: ordered, unordered: unordered)
    }

    /// Feeds an event for a caller that holds a lock; returns whether to call ``setTimer()`` after its release.
    func feed(
        _ event: M.Event, at time: PaginatorInstant, releasingOn executor: (any WorkExecutor)? = nil,
        setsTimer: Bool = false, ordered: (M.Ordered, PaginatorInstant) -> Void, unordered: (M.Unordered) -> Void
    ) -> Bool {
        // Called by an ordered action of this machine: the event is handled after the earlier actions.
        if isHeldHere {
            reentered.append(event)
            return false
        }
        var decided = MachineOutbox<M.Ordered, M.Unordered>()
        var (wantsTimer, gone) = locked {
            latest = max(latest, time)
            if let spare = spares.popLast() { decided = spare }
            handle(event, &decided, ordered)
            var next = 0
            while next < reentered.count {
                handle(reentered[next], &decided, ordered)
                next += 1
            }
            reentered.removeAll(keepingCapacity: next <= 64)
            return dueTime != nil
        }
        // Before the unordered actions, which run user code and may not return.
        if setsTimer, wantsTimer { setTimer() }
        for action in decided.unordered { unordered(action) }
        if let executor {
            gone += DeferredRelease.collect { decided.removeAll() }.gone
            DeferredRelease.release(&gone, on: executor)
        } else {
            decided.removeAll()
        }
        lock.withLock { if spares.count < 4 { spares.append(decided) } }
        return wantsTimer
    }

    // Handles one event. Its actions stay in `decided`, to be released without the lock.
    private func handle(
        _ event: M.Event, _ decided: inout MachineOutbox<M.Ordered, M.Unordered>,
        _ ordered: (M.Ordered, PaginatorInstant) -> Void
    ) {
        let first = decided.ordered.count
        swap(&machine.outbox, &decided)
        machine.handle(event, at: latest)
        swap(&machine.outbox, &decided)
        for action in decided.ordered[first...] { ordered(action, latest) }
    }

    /// Calls `body` with the machine under the lock; `body` must not call user code.
    package func withMachine<R>(_ body: (inout M) -> R) -> R {
        guard !isHeldHere else { return body(&machine) }
        return locked { body(&machine) }.0
    }

    private var isHeldHere: Bool {
        // Safe without the lock: only this thread itself writes its own number.
        let holder = holder.value
        return holder != 0 && holder == CurrentThread.existing?.number
    }

    private func locked<R>(_ body: () -> R) -> (R, gone: [any Sendable]) {
        DeferredRelease.collect {
            lock.withLock {
                holder.setUnordered(CurrentThread.current.number)
                defer { holder.setUnordered(0) }
                return body()
            }
        }
    }

    // MARK: - Timer

    /// The time to set the timer to; `nil` if it is set to an earlier one. The lock is held.
    ///
    /// The timer is never moved to a later time: an early wake-up does nothing, and costs less than moving the timer
    /// with each event. A time in the past counts as unset, because the timer may not have run while the device slept.
    private var dueTime: PaginatorInstant? {
        guard let due = nextDeadline(machine) else { return nil }
        let known = armed.flatMap { $0 > latest ? $0 : nil } ?? .distantFuture
        return due < known ? due : nil
    }

    /// Sets the timer, without the lock. Only one thread at a time does so, so that the earliest time is set last.
    func setTimer() {
        let isMine = lock.withLock {
            defer { isArming = true }
            return !isArming
        }
        guard isMine else { return }
        let timer = lock.withLock({ self.timer }) ?? makeTimer()
        var last: PaginatorInstant?
        while let due = nextArming(after: last) {
            timer.arm(at: due)
            last = due
        }
    }

    private func makeTimer() -> any PaginatorTimer {
        let timer = clock.makeTimer { [weak self] in self?.timerFired() }
        lock.withLock { self.timer = timer }
        return timer
    }

    private func nextArming(after last: PaginatorInstant?) -> PaginatorInstant? {
        lock.withLock {
            // A time in the past stays due until the timer fires; it is set once.
            guard let due = dueTime, due != last else {
                isArming = false
                return nil
            }
            armed = due
            return due
        }
    }

    private func timerFired() {
        lock.withLock { armed = nil }
        timeCame()
    }
}
