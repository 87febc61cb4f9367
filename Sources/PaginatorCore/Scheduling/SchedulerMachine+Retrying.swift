extension SchedulerMachine {
    /// Handles another attempt after a failure, as a new task: it backs off without a slot, or is refused.
    ///
    /// A failure without a connection says nothing about the source, and costs no token. Unless the source stated a
    /// delay, the task does not back off: it waits for the connection, or is refused. Without `failures` the source was
    /// not called, which costs no token, either.
    mutating func retry(
        _ task: SchedulerTask, _ demand: SchedulerDemand, failures: Int, statedDelay: Duration?
    ) {
        guard clients[task.client] != nil, self[task] == nil else { return }
        if lacksConnection(demand), statedDelay == nil { return enqueue(task, demand) }
        guard failures == 0 || lacksConnection(demand) || budget.spend(at: now) else {
            return refuse(task, .budgetSpent)
        }
        let delay = backoff.delay(failures: failures, statedDelay: statedDelay, using: &random)
        self[task] = .backingOff(demand)
        deadlines.set(.backOff(task), at: now.advanced(by: delay))
        outbox.ordered.append(.backOff(task, delay: delay))
    }

    mutating func expire() {
        while let due = deadlines.popDue(at: now) {
            switch due {
            case .pauseEnd(let client): endPause(of: client)
            case .backOff(let task):
                guard case .backingOff(let demand) = self[task] else { continue }
                // Behind the waiting tasks of its priority, because a failure gives no precedence.
                enqueue(task, demand)
            case .permit: break
            }
        }
    }

    mutating func record(_ outcome: AttemptOutcome, of demand: SchedulerDemand) {
        // Also if no connection is needed, because the further attempts then cost tokens, too.
        if outcome == .accepted { budget.succeeded(at: now) }
        // The page may have been on the device; and without a connection every attempt fails, whatever the source does.
        let isOffline = outcome == .overloaded && conditions.contains(.offline)
        guard demand.needsConnection, outcome != .abandoned, !isOffline else { return }
        throttle?.ended(accepted: outcome == .accepted, at: now)
    }
}
