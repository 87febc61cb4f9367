extension PaginatorScheduler {
    package var runningAttempts: Int { driver.withMachine { $0.running } }

    /// The scheduler's state, for dumps and the inspector.
    package var state: StateValue {
        let now = clock.now
        return driver.withMachine { $0.state(at: now) }
    }
}

extension SchedulerMachine {
    mutating func state(at now: PaginatorInstant) -> StateValue {
        self.now = max(self.now, now)
        var waiting: [(priority: FetchPriority, since: PaginatorInstant, value: StateValue)] = []
        var (backingOff, held) = ([(due: PaginatorInstant, value: StateValue)](), 0)
        for (task, state) in sortedTasks {
            switch state {
            case .ready(let handle, let demand):
                let since = ready[handle]?.readySince ?? now
                let value = StateValue([
                    "client": StateValue(number: task.client), "task": StateValue(number: task.id),
                    "priority": .text("\(demand.priority)"), "prefetch": .flag(demand.isAhead),
                    "since": .instant(since),
                ])
                waiting.append((demand.priority, since, value))
            case .backingOff:
                let due = deadlines.deadline(of: .backOff(task)) ?? now
                let (client, number) = (StateValue(number: task.client), StateValue(number: task.id))
                backingOff.append((due, StateValue(["client": client, "task": number, "due": .instant(due)])))
            case .held: held += 1
            case .running: break
            }
        }
        // By priority, and then by the time for which they have been ready.
        waiting.sort { ($1.priority, $0.since) < ($0.priority, $1.since) }
        backingOff.sort { $0.due < $1.due }
        let pauses = clients.keys.sorted().compactMap { client in
            pauseEnd(of: client).map { StateValue(["client": StateValue(number: client), "until": .instant($0)]) }
        }
        return StateValue([
            "running": .count(running), "limit": .count(slots), "held": .count(held), "suspended": .flag(isSuspended),
            "conditions": .texts(conditions.names), "retryBudget": .number(budget.share(at: self.now)),
            "throttle": .number(throttle?.rejectProbability(at: self.now) ?? 0),
            "rate": rate.map { $0.state(at: self.now) },
            "nextPermit": deadlines.deadline(of: .permit).map(StateValue.instant), "queued": .count(waiting.count),
            "waiting": .list(waiting.prefix(StateValue.mostShown).map(\.value)),
            "backingOff": .list(backingOff.prefix(StateValue.mostShown).map(\.value)),
            "backingOffLeftOut": .some(backingOff.count - StateValue.mostShown), "pauses": .list(pauses),
        ])
    }
}

extension PaginatorConditions {
    /// For display.
    var names: [String] {
        let all: [PaginatorConditions] = [.offline, .weakLink, .lowPower, .background, .charging, .idle]
        let names = ["offline", "weakLink", "lowPower", "background", "charging", "idle"]
        return zip(all, names).filter { contains($0.0) }.map(\.1)
    }
}

extension TokenBucket {
    func state(at now: PaginatorInstant) -> StateValue {
        let (step, spread) = (max(1, interval.wholeNanoseconds), burst.wholeNanoseconds)
        let missing = max(0, now.duration(to: max(now, full)).wholeNanoseconds)
        // One less each, because the first of a burst needs no tolerance.
        let (tokens, capacity) = (missing > spread ? -1 : (spread - missing) / step, spread / step)
        return StateValue([
            "tokens": .count(Int(clamping: tokens + 1)),
            "capacity": .count(Int(clamping: capacity + 1)),
            "perSecond": .number(1e9 / Double(step)),
        ])
    }
}
