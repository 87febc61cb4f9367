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

    mutating func submit(
        _ id: UInt64, _ priority: FetchPriority = .medium, prefetch: Bool = false, awaited: Bool? = nil
    ) -> [Decision] {
        read(machine.submit(task(id), priority: priority, isPrefetch: prefetch, isAwaited: awaited, at: now))
    }

    mutating func pause(_ delay: Duration) -> [Decision] { read(machine.pause(client, for: delay, at: now)) }

    mutating func end(_ id: UInt64, _ outcome: AttemptOutcome = .accepted) -> [Decision] {
        read(machine.attemptEnded(task(id), outcome: outcome, at: now))
    }

    mutating func retry(
        _ id: UInt64, failures: Int = 1, after statedDelay: Duration? = nil, _ priority: FetchPriority = .medium,
        prefetch: Bool = false, awaited: Bool? = nil
    ) -> [Decision] {
        read(
            machine.retry(
                task(id), priority: priority, isPrefetch: prefetch, isAwaited: awaited, failures: failures,
                statedDelay: statedDelay,
                at: now))
    }

    mutating func reprioritize(
        _ id: UInt64, _ priority: FetchPriority, prefetch: Bool = false, awaited: Bool? = nil
    ) -> [Decision] {
        read(
            machine.reprioritize(
                task(id), priority: priority, isPrefetch: prefetch, isAwaited: awaited, at: now))
    }

    mutating func cancel(_ id: UInt64) -> [Decision] { read(machine.cancel(task(id), at: now)) }
    mutating func suspend() -> [Decision] { read(machine.suspend(at: now)) }
    mutating func resume() -> [Decision] { read(machine.resume(at: now)) }

    mutating func conditions(_ conditions: PaginatorConditions) -> [Decision] {
        read(machine.conditionsChanged(conditions, at: now))
    }

    mutating func wakeup(in delay: Duration?) -> [Decision] {
        read(machine.setWakeup(client, at: delay.map { now.advanced(by: $0) }, now: now))
    }

    mutating func pass(_ duration: Duration) -> [Decision] {
        now = now.advanced(by: duration)
        return read(machine.timePassed(at: now))
    }

    /// Passes the time up to the next deadline.
    mutating func passToDeadline() -> [Decision] {
        guard let deadline = machine.nextDeadline else { return [] }
        now = max(now, deadline)
        return read(machine.timePassed(at: now))
    }

    /// A decision about the one client, its times left out.
    enum Decision: Hashable {
        case start(UInt64)
        case refuse(UInt64, SchedulerRefusal)
        case backOff(UInt64)
        case hold(UInt64)
        case wake
    }

    private func read(_ decisions: [SchedulerDecision]) -> [Decision] {
        decisions.map {
            switch $0 {
            case .start(let task, _): .start(task.id)
            case .refuse(let task, let reason): .refuse(task.id, reason)
            case .backOff(let task, _): .backOff(task.id)
            case .hold(let task, _): .hold(task.id)
            case .wake: .wake
            }
        }
    }
}
