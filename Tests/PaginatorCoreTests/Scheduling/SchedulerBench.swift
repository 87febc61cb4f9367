import Testing

@testable import PaginatorCore

/// A scheduler's machine with one client, a time that a test moves, and what was decided last.
struct SchedulerBench: ~Copyable {
    var machine: SchedulerMachine
    let client: UInt64
    var now = PaginatorInstant.zero

    init(seed: UInt64 = 1, _ change: (inout PaginatorSchedulerConfig) -> Void = { _ in }) {
        var config = PaginatorSchedulerConfig()
        change(&config)
        machine = SchedulerMachine(config: config, seed: seed)
        client = machine.addClient()
    }

    func task(_ id: UInt64) -> SchedulerTask { SchedulerTask(client: client, id: id) }

    var statistics: PaginatorScheduler.Statistics {
        mutating get { machine.statistics(at: now) }
    }

    /// Feeds an event to the machine, whose invariants must hold after it.
    mutating func feed(_ event: SchedulerEvent) -> [Decision] {
        read(machine.decide(event, at: now))
    }

    mutating func submit(
        _ id: UInt64, _ priority: FetchPriority = .medium, prefetch: Bool = false, awaited: Bool = false,
        local: Bool = false
    ) -> [Decision] {
        feed(.submit(task(id), SchedulerDemand(priority, isPrefetch: prefetch, isAwaited: awaited, isLocal: local)))
    }

    /// A prefetch that nobody is told of at once, under the conditions that are wanted for it.
    mutating func prefetch(_ id: UInt64, _ wanted: PaginatorConditions...) -> [Decision] {
        feed(.submit(task(id), SchedulerDemand(priority: .low, wanted: .ahead(Set(wanted), mayWait: true))))
    }

    mutating func pause(_ delay: Duration) -> [Decision] { feed(.pause(client: client, delay)) }

    mutating func end(_ id: UInt64, _ outcome: AttemptOutcome = .accepted) -> [Decision] {
        feed(.attemptEnded(task(id), outcome))
    }

    /// Lets the source fail until most requests are throttled.
    mutating func overload() {
        for id in 1...200 as ClosedRange<UInt64> where submit(id) == [.start(id)] { _ = end(id, .overloaded) }
    }

    mutating func retry(
        _ id: UInt64, failures: Int = 1, after statedDelay: Duration? = nil, _ priority: FetchPriority = .medium,
        prefetch: Bool = false, awaited: Bool = false, local: Bool = false
    ) -> [Decision] {
        let demand = SchedulerDemand(priority, isPrefetch: prefetch, isAwaited: awaited, isLocal: local)
        return feed(.retry(task(id), demand, failures: failures, statedDelay: statedDelay))
    }

    mutating func reprioritize(
        _ id: UInt64, _ priority: FetchPriority, prefetch: Bool = false, awaited: Bool = false
    ) -> [Decision] {
        feed(.reprioritize(task(id), SchedulerDemand(priority, isPrefetch: prefetch, isAwaited: awaited)))
    }

    mutating func cancel(_ id: UInt64) -> [Decision] { feed(.cancel(task(id))) }
    mutating func suspend() -> [Decision] { feed(.suspend) }
    mutating func resume() -> [Decision] { feed(.resume) }
    mutating func conditions(_ conditions: PaginatorConditions) -> [Decision] { feed(.conditionsChanged(conditions)) }

    mutating func pass(_ duration: Duration) -> [Decision] {
        now = now.advanced(by: duration)
        return feed(.timePassed)
    }

    /// Passes the time up to the next deadline.
    mutating func passToDeadline() -> [Decision] {
        guard let deadline = machine.nextDeadline else { return [] }
        now = max(now, deadline)
        return feed(.timePassed)
    }

    /// A decision about the one client, its times left out.
    enum Decision: Hashable {
        case start(UInt64)
        case refuse(UInt64, SchedulerRefusal)
        case backOff(UInt64)
        case hold(UInt64)
    }

    private func read(_ decisions: [SchedulerDecision]) -> [Decision] {
        decisions.map {
            switch $0 {
            case .start(let task, _): .start(task.id)
            case .refuse(let task, let reason): .refuse(task.id, reason)
            case .backOff(let task, _): .backOff(task.id)
            case .hold(let task, _): .hold(task.id)
            }
        }
    }
}

extension SchedulerDemand {
    /// A prefetch wants the conditions that every prefetch wants. It may wait unless it is awaited, as neighbors are.
    init(_ priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool = false, isLocal: Bool = false) {
        self.init(
            priority: priority, wanted: isPrefetch ? .ahead([[]], mayWait: !isAwaited) : .byCaller,
            needsConnection: !isLocal)
    }
}

extension SchedulerMachine {
    /// Feeds an event, after which everything that must always hold does, and returns what was decided.
    mutating func decide(_ event: SchedulerEvent, at now: PaginatorInstant) -> [SchedulerDecision] {
        handle(event, at: now)
        for violation in invariantViolations() { Issue.record("after \(event): \(violation)") }
        defer { outbox = MachineOutbox() }
        return outbox.ordered
    }
}
