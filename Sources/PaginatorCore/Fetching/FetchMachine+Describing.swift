extension FetchMachine {
    /// Returns the state of the machine, for people and for the inspector, with the timers of other objects.
    func state(_ others: [StateValue] = []) -> StateValue {
        StateValue([
            "mode": .text(isReleased ? "shutDown" : isSuspended ? "suspended" : "running"),
            "waiting": .count(waiters.count), "arounds": .some(arounds.count), "prefetches": .some(prefetches.count),
            "loads": .list(loads.values.sorted { $0.id < $1.id }.prefix(StateValue.mostShown).map { state(of: $0) }),
            "loadsLeftOut": .some(loads.count - StateValue.mostShown),
            "debouncing": .list(
                debouncing.sorted { $0.value < $1.value }.prefix(StateValue.mostShown).map { key, id in
                    StateValue(["debounceKey": .text(key.text), "page": waiters[id].map { .page($0.identity) }])
                }),
            "errors": .list(
                // Without the underlying error, because its description is user code, and this runs under a lock.
                errors.all.map {
                    StateValue([
                        "page": .page($0.identity), "error": .text("\($0.error.metricsLabel): \($0.error.message)"),
                    ])
                }),
            "timers": .list(timers + others), "timersLeftOut": .some(deadlines.count - StateValue.mostShown),
        ])
    }

    private func state(of load: Load) -> StateValue {
        let source = stage(of: load)
        return StateValue([
            "page": .page(load.identity), "stage": .text(source.name), "attempt": .some(load.attempts),
            "since": .instant(source.since ?? load.startedAt), "due": source.due.map(StateValue.instant),
            "waiters": .count(load.wanted.total), "priority": .text("\(load.wanted.demand.priority)"),
            "task": load.source.task.map(StateValue.init(number:)),
        ])
    }

    private func stage(of load: Load) -> (name: String, since: PaginatorInstant?, due: PaginatorInstant?) {
        switch load.source {
        case .unneeded:
            if case .reading(let since, _) = load.cache {
                return ("store", since, deadlines.deadline(of: .storeRead(load.id)))
            }
            return ("memory", nil, nil)
        case .suspended: return ("held", load.sourceWantedAt, nil)
        case .queued(let queued):
            if let pause = queued.pause { return ("paused", load.sourceWantedAt, pause.end) }
            return (queued.retry == nil ? "queued" : "backingOff", load.sourceWantedAt, nil)
        case .attempting(let task, let since): return ("attempt", since, deadlines.deadline(of: .attempt(task)))
        case .judging(let task, _, let since): return ("judging", since, deadlines.deadline(of: .attempt(task)))
        case .deciding: return ("deciding", nil, nil)
        case .failed: return ("failed", nil, deadlines.deadline(of: .storeRead(load.id)))
        }
    }

    // Only the first ones, because there may be thousands of waiters with a timer each.
    private var timers: [StateValue] {
        let all = deadlines.keys.compactMap { key in deadlines.deadline(of: key).map { (key: key, due: $0) } }
        return all.sorted { $0.due < $1.due }.prefix(StateValue.mostShown).map { timer in
            let (purpose, page) = facts(of: timer.key)
            return StateValue(timer: purpose, page, due: timer.due)
        }
    }

    private func facts(of deadline: Deadline) -> (purpose: String, page: PageIdentity?) {
        switch deadline {
        case .waiter(let id): ("fetch times out", waiters[id]?.identity)
        case .fallback(let id): ("cached page is due", waiters[id]?.identity)
        case .debounce(let id): ("burst ends", waiters[id]?.identity)
        case .attempt(let task): ("attempt times out", tasks[task].flatMap { loads[$0]?.identity })
        case .storeRead(let load): ("store times out", loads[load]?.identity)
        case .prefetch: ("prefetch times out", nil)
        }
    }
}

extension FetchEngine {
    /// The state of everything but the scheduler, which may be shared.
    package var state: StateValue {
        let followed = endings.states.sorted { "\($0)" < "\($1)" }
        let calls = calls.withLock { Array($0.values) }
        let limits = calls.flatMap { call in
            call.deadlines.map { StateValue(timer: "part of a call times out", call.identity, due: $0) }
        }
        let flushes = storeCalls?.flushDeadlines.map { StateValue(timer: "flush of the store times out", due: $0) }
        return .fields(
            driver.withMachine { $0.state(limits + (flushes ?? [])) }.fields + [
                ("following", .list(followed)), ("calls", .count(calls.count)),
                ("client", StateValue(number: client)), ("memory", memory.state),
            ])
    }

    func dump() -> String {
        let now = clock.now
        var lines = state.lines("paginator", at: now)
        let others = memory.state.lines("memory", at: now) + scheduler.state.lines("scheduler", at: now)
        lines.insert(contentsOf: others, at: 1)
        return (lines + [counters.description]).joined(separator: "\n")
    }
}
