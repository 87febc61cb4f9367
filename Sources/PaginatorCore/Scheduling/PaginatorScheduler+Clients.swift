// Calls of clients. One that holds a lock gives the time itself, and sets the timer afterwards where it is told to: the
// clock is the user's, and no lock is held when it is called.
extension PaginatorScheduler {
    /// Admits a client, which is kept weakly, and returns its number.
    package func register(_ client: any SchedulerClient) -> UInt64 {
        state.withLock { state in
            let number = state.machine.addClient()
            state.outboxes[number] = SchedulerOutbox(client: client)
            return number
        }
    }

    /// Forgets a client: its tasks go, its slots are free. A turn under way may still tell it something.
    package func unregister(_ client: UInt64) {
        let now = clock.now
        perform { state in
            state.outboxes[client] = nil
            return state.machine.removeClient(client, at: now)
        }
    }

    /// Hands in a task; it will be started or refused.
    ///
    /// - Parameters:
    ///   - task: a number that the client has not used before.
    ///   - isAwaited: whether somebody is told how it ends, so that it should not wait for a connection; by default
    ///     every task but a prefetch.
    ///   - now: the time, for a client that holds a lock; `nil`, the default, asks the clock.
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    @discardableResult
    package func submit(
        _ task: UInt64, for client: UInt64, priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool? = nil,
        at now: PaginatorInstant? = nil
    ) -> Bool {
        let task = SchedulerTask(client: client, id: task)
        return perform(at: now) {
            $0.submit(task, priority: priority, isPrefetch: isPrefetch, isAwaited: isAwaited, at: $1)
        }
    }

    /// Hands in a task again after a failed attempt: it backs off without a slot and is then ready to start, or refused.
    ///
    /// - Parameters:
    ///   - task: its number, whose attempt has ended.
    ///   - failures: how many attempts in a row have failed, from 1.
    ///   - statedDelay: the least wait that the source stated.
    ///   - now: the time, for a client that holds a lock; `nil`, the default, asks the clock.
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    @discardableResult
    package func retry(
        _ task: UInt64,
        for client: UInt64,
        priority: FetchPriority,
        isPrefetch: Bool,
        isAwaited: Bool? = nil,
        failures: Int,
        statedDelay: Duration?,
        at now: PaginatorInstant? = nil
    ) -> Bool {
        let task = SchedulerTask(client: client, id: task)
        return perform(at: now) {
            $0.retry(
                task,
                priority: priority,
                isPrefetch: isPrefetch,
                isAwaited: isAwaited,
                failures: failures,
                statedDelay: statedDelay,
                at: $1
            )
        }
    }

    /// Changes how urgent a task that is not running is, and whether somebody waits for it.
    ///
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    @discardableResult
    package func reprioritize(
        _ task: UInt64, for client: UInt64, priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool? = nil,
        at now: PaginatorInstant? = nil
    ) -> Bool {
        let task = SchedulerTask(client: client, id: task)
        return perform(at: now) {
            $0.reprioritize(task, priority: priority, isPrefetch: isPrefetch, isAwaited: isAwaited, at: $1)
        }
    }

    /// Starts no task of the client for a while, because its source asked for that. No lock is held.
    package func pause(_ client: UInt64, for delay: Duration) {
        perform { $0.pause(client, for: delay, at: $1) }
    }

    /// Takes a task back: one that is ready or backs off is gone, a running one gives its slot back.
    ///
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    @discardableResult
    package func cancel(_ task: UInt64, for client: UInt64, at now: PaginatorInstant? = nil) -> Bool {
        let task = SchedulerTask(client: client, id: task)
        return perform(at: now) { $0.cancel(task, at: $1) }
    }

    /// Says that a running task's attempt is over; the task gives its slot back and is forgotten.
    ///
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    @discardableResult
    package func attemptEnded(
        _ task: UInt64, for client: UInt64, outcome: AttemptOutcome, at now: PaginatorInstant? = nil
    ) -> Bool {
        let task = SchedulerTask(client: client, id: task)
        return perform(at: now) { $0.attemptEnded(task, outcome: outcome, at: $1) }
    }

    /// Sets when the client is to be woken, in place of an earlier time; `nil` takes it away.
    ///
    /// - Returns: whether the client has to call ``setTimer()`` when it holds no lock.
    @discardableResult
    package func setWakeup(
        _ client: UInt64, at deadline: PaginatorInstant?, now: PaginatorInstant? = nil
    ) -> Bool {
        perform(at: now) { $0.setWakeup(client, at: deadline, now: $1) }
    }
}
