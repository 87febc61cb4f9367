extension SchedulerMachine {
    /// A task whose attempt has failed wants another one: it backs off without a slot, or is refused.
    ///
    /// A failure without a connection says nothing about the source: it costs no token, and unless the source itself has
    /// stated the delay the attempt is due as soon as the connection is back.
    ///
    /// - Parameters:
    ///   - failures: how many attempts in a row have failed, from 1.
    ///   - statedDelay: the least wait that the source stated.
    package mutating func retry(
        _ task: SchedulerTask,
        priority: FetchPriority,
        isPrefetch: Bool,
        isAwaited: Bool? = nil,
        failures: Int,
        statedDelay: Duration?,
        at now: PaginatorInstant
    ) -> [SchedulerDecision] {
        perform(at: now) {
            guard $0.knowsClient(of: task) else { return }
            switch $0[task] {
            case .ready, .held, .backingOff: return
            case .running: $0.slots.release()
            case nil: break
            }
            let isOffline = $0.conditions.contains(.offline)
            guard isOffline || $0.budget.spend(at: $0.now) else {
                $0.refuse(task, .budgetSpent)
                return
            }
            let delay = $0.backoff.delay(failures: failures, statedDelay: statedDelay, using: &$0.random)
            $0[task] = .backingOff(
                Demand(priority: priority, isPrefetch: isPrefetch, isAwaited: isAwaited ?? !isPrefetch))
            $0.deadlines.set(.backOff(task), at: $0.now.advanced(by: delay))
            if isOffline, statedDelay == nil { $0.stranded.set(task, at: $0.now) }
            $0.backingOff += 1
            $0.counters.retries += 1
            $0.decisions.append(.backOff(task, delay: delay))
        }
    }

    /// Performs every deadline that is reached.
    mutating func expire() {
        while let due = deadlines.popDue(at: now) {
            switch due {
            case .wakeup(let client): decisions.append(.wake(client: client))
            case .pauseEnd(let client): endPause(of: client)
            case .backOff(let task):
                stranded.remove(task)
                backingOff -= 1
                guard case .backingOff(let demand) = self[task] else { continue }
                enqueue(task, demand)
            }
        }
    }

    /// Feeds an attempt's outcome to the budget and the throttle.
    mutating func learn(from outcome: AttemptOutcome) {
        switch outcome {
        case .accepted:
            budget.succeeded(at: now)
            throttle?.ended(accepted: true, at: now)
        case .overloaded:
            guard !conditions.contains(.offline) else { return }
            throttle?.ended(accepted: false, at: now)
        case .abandoned: break
        }
    }
}
