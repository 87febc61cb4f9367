extension FetchMachine {
    /// What there is, for people and for the inspector.
    var state: StateValue {
        StateValue([
            "mode": .text(isReleased ? "shutDown" : isSuspended ? "suspended" : "running"),
            "waiting": .count(waiters.count),
            "loads": .list(loads.values.sorted { $0.id < $1.id }.map(state(of:))),
            "arounds": .list(
                arounds.values.sorted { $0.ticket.id < $1.ticket.id }
                    .map { StateValue(["page": .page($0.request.page.identity), "toCome": .count($0.waiters.count)]) }),
            "prefetches": .list(
                prefetches.values.sorted { $0.ticket.id < $1.ticket.id }
                    .map { StateValue(["toCome": .count($0.waiters.count)]) }),
            "debouncing": .list(
                debouncing.keys.map(\.text).sorted().map { StateValue(["lane": .text($0.debugDescription)]) }),
            "errors": .list(
                // Not the text of the error behind it, which is the user's to make: this runs with a lock held.
                errors.all.map {
                    StateValue([
                        "page": .page($0.identity), "error": .text("\($0.error.metricsLabel): \($0.error.message)"),
                    ])
                }),
            "timers": timers,
        ])
    }

    /// The state for people; durations reach to `time`, by default the last event's.
    func describe(at time: PaginatorInstant? = nil) -> [String] { state.lines("paginator", at: max(now, time ?? now)) }

    private func state(of load: Load) -> StateValue {
        let source = stage(of: load)
        return StateValue([
            "page": .page(load.identity), "stage": .text(source.name),
            "since": .instant(source.since ?? load.startedAt),
            "due": source.due.map(StateValue.instant), "attempt": load.attempts > 0 ? .count(load.attempts) : nil,
            "waiters": .count(load.owners.total), "priority": .text("\(load.owners.demand.priority)"),
            "cached": load.candidate.map { .text($0.origin.rawValue) }, "cacheable": .flag(load.isCurrent),
            "task": load.source.task.map(StateValue.init(number:)),
        ])
    }

    private func stage(of load: Load) -> (name: String, since: PaginatorInstant?, due: PaginatorInstant?) {
        switch load.source {
        case .unneeded:
            if case .reading(let since) = load.cache {
                return ("store", since, deadlines.deadline(of: .storeRead(load.id)))
            }
            return ("memory", nil, nil)
        case .held: return ("held", load.sourceWantedAt, nil)
        case .queued(let queued):
            if let pause = queued.pause { return ("paused", load.sourceWantedAt, pause.end) }
            return (queued.retry == nil ? "queued" : "backingOff", load.sourceWantedAt, nil)
        case .attempting(let task, let since): return ("attempt", since, deadlines.deadline(of: .attempt(task)))
        case .judging(let task, _, let since): return ("judging", since, deadlines.deadline(of: .attempt(task)))
        case .deciding: return ("deciding", nil, nil)
        case .failed: return ("failed", nil, deadlines.deadline(of: .storeRead(load.id)))
        }
    }

    private var timers: StateValue {
        let all = deadlines.keys.compactMap { key in deadlines.deadline(of: key).map { (key: key, due: $0) } }
        return .list(
            // The first ones: of thousands of waiters each has one.
            all.sorted { $0.due < $1.due }.prefix(200).map { timer in
                let (purpose, page) = facts(of: timer.key)
                return StateValue([
                    "purpose": .text(purpose), "page": page.map(StateValue.page), "due": .instant(timer.due),
                ])
            })
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
        let followed = endings.states.withLock { Array($0.values) }.sorted { "\($0)" < "\($1)" }
        return .fields(
            driver.withMachine { $0.state }.fields + [
                ("following", .list(followed)), ("calls", .count(calls.withLock { $0.count })),
                ("client", StateValue(number: client)), ("memory", memory.state),
            ])
    }

    func dump() -> String {
        let now = clock.now
        var lines = state.lines("paginator", at: now)
        lines.insert(contentsOf: memory.state.lines("memory", at: now), at: 1)
        lines.insert(contentsOf: scheduler.state.lines("scheduler", at: now), at: 2)
        return (lines + [counters.description]).joined(separator: "\n")
    }
}
