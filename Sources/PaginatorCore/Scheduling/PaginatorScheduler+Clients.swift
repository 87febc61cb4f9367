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
    package func submit(
        _ task: UInt64, for client: UInt64, priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool? = nil
    ) {
        let task = SchedulerTask(client: client, id: task)
        perform { $0.submit(task, priority: priority, isPrefetch: isPrefetch, isAwaited: isAwaited, at: $1) }
    }

    /// Hands in a task again after a failed attempt: it backs off without a slot and is then ready to start, or refused.
    ///
    /// - Parameters:
    ///   - task: its number, whose attempt has ended.
    ///   - failures: how many attempts in a row have failed, from 1.
    ///   - statedDelay: the least wait that the source stated.
    package func retry(
        _ task: UInt64,
        for client: UInt64,
        priority: FetchPriority,
        isPrefetch: Bool,
        isAwaited: Bool? = nil,
        failures: Int,
        statedDelay: Duration?
    ) {
        let task = SchedulerTask(client: client, id: task)
        perform {
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
    package func reprioritize(
        _ task: UInt64, for client: UInt64, priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool? = nil
    ) {
        let task = SchedulerTask(client: client, id: task)
        perform {
            $0.reprioritize(task, priority: priority, isPrefetch: isPrefetch, isAwaited: isAwaited, at: $1)
        }
    }

    /// Starts no task of the client for a while, because its source asked for that.
    package func pause(_ client: UInt64, for delay: Duration) {
        perform { $0.pause(client, for: delay, at: $1) }
    }

    /// Takes a task back: one that is ready or backs off is gone, a running one gives its slot back.
    package func cancel(_ task: UInt64, for client: UInt64) {
        let task = SchedulerTask(client: client, id: task)
        perform { $0.cancel(task, at: $1) }
    }

    /// Says that a running task's attempt is over; the task gives its slot back and is forgotten.
    package func attemptEnded(_ task: UInt64, for client: UInt64, outcome: AttemptOutcome) {
        let task = SchedulerTask(client: client, id: task)
        perform { $0.attemptEnded(task, outcome: outcome, at: $1) }
    }

    /// Sets when the client is to be woken, in place of an earlier time; `nil` takes it away.
    package func setWakeup(_ client: UInt64, at deadline: PaginatorInstant?) {
        perform { $0.setWakeup(client, at: deadline, now: $1) }
    }
}
