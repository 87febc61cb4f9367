/// Runs a ``Machine``: feeds it one event at a time, has its actions done in the order decided, and wakes it in time.
///
/// `lock` is held while the machine handles an event and its ordered actions are done, so that what a call decided has
/// happened when it returns. They only put things into places of the library's own (caches, mailboxes, other machines),
/// and call no user; an event that one of them feeds is handled after the actions decided before it. Unordered actions
/// are done without the lock. What the machine lets go of meanwhile is released without it, too; see ``DeferredRelease``.
///
/// A machine that calls the user's code cannot have a driver: it belongs to the handler of a ``SerialMailbox``.
///
/// `@unchecked Sendable`: `machine`, `reentered`, `spares`, `latest`, `armed`, `isArming` and `timer` are guarded by `lock`.
package final class MachineDriver<M: Machine & ~Copyable>: @unchecked Sendable {
    let clock: any PaginatorClock
    private let nextDeadline: @Sendable (borrowing M) -> PaginatorInstant?
    private let timeCame: @Sendable () -> Void
    private let lock = Lock()
    private var machine: M
    private var reentered: [M.Event] = []
    // One for each thread that is doing its actions; with the memory of the usual event.
    private var spares: [MachineOutbox<M.Ordered, M.Unordered>] = []
    private var latest = PaginatorInstant.zero
    private var armed: PaginatorInstant?
    private var isArming = false
    private var timer: (any PaginatorTimer)?
    /// The number of the thread that holds the lock; zero for none.
    private let holder = AtomicWord()

    /// - Parameters:
    ///   - clock: the user's code, so it is called without the lock.
    ///   - nextDeadline: when to wake the shell; it runs under the lock.
    ///   - timeCame: called on the timer's thread at that time; it feeds the event that says so. It should not keep the
    ///     shell alive.
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

    /// Feeds one event; returns when its actions are done, unless an ordered action feeds it.
    ///
    /// - Parameters:
    ///   - executor: releases what has ended, for a thread that must not wait for a `deinit` of the user's.
    ///   - ordered: does one ordered action, decided at the time given; under the lock.
    package func feed(
        _ event: M.Event, releasingOn executor: (any WorkExecutor)? = nil,
        ordered: (M.Ordered, PaginatorInstant) -> Void, unordered: (M.Unordered) -> Void
    ) {
        _ = feed(
            event, at: clock.now, releasingOn: executor, setsTimer: true, ordered: ordered, unordered: unordered)
    }

    /// For a caller who holds a lock, so that the clock is not called; returns whether to call ``setTimer()`` without it.
    func feed(
        _ event: M.Event, at time: PaginatorInstant, releasingOn executor: (any WorkExecutor)? = nil,
        setsTimer: Bool = false, ordered: (M.Ordered, PaginatorInstant) -> Void, unordered: (M.Unordered) -> Void
    ) -> Bool {
        // An ordered action feeds this machine: its turn comes when the actions decided before are done.
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
        // Before the user's code, which may not return.
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

    // Actions stay in `decided` to be released without the lock.
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

    /// Uses the machine under the lock; `body` calls no user.
    package func withMachine<R>(_ body: (inout M) -> R) -> R {
        guard !isHeldHere else { return body(&machine) }
        return locked { body(&machine) }.0
    }

    private var isHeldHere: Bool {
        // Without the lock: only this thread itself writes the number that it looks for.
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

    /// What the timer is to be set to; `nil` where it is set early enough. The lock is held.
    ///
    /// It is never set to a later time: a timer that comes early finds nothing to do, and costs less than to move it with
    /// each event. A time in the past counts as unset: while the device slept, the timer may not have run.
    private var dueTime: PaginatorInstant? {
        guard let due = nextDeadline(machine) else { return nil }
        let known = armed.flatMap { $0 > latest ? $0 : nil } ?? .distantFuture
        return due < known ? due : nil
    }

    /// Sets the timer; the caller holds no lock. One thread at a time does so, so that the earliest time is the last set.
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
            // A time in the past stays due until the timer has fired; it is set once.
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
