@testable import PaginatorCore

/// A scheduler's client that writes down what it is told, and may act on it.
final class RecordingSchedulerClient: SchedulerClient {
    enum Call: Hashable, Sendable {
        case start(UInt64, waited: Duration)
        case refuse(UInt64, SchedulerRefusal)
        case backOff(UInt64, delay: Duration)
        case hold(UInt64, delay: Duration)
    }

    private let recorded = Guarded<[Call]>([])
    private let action = Guarded<(@Sendable (Call) -> Void)?>(nil)

    /// What was told so far, in order.
    var calls: [Call] { recorded.withLock { $0 } }

    /// The tasks that were started, in order.
    var started: [UInt64] {
        calls.compactMap { if case .start(let task, _) = $0 { task } else { nil } }
    }

    /// Runs `body` inside each later call.
    func onCall(_ body: @escaping @Sendable (Call) -> Void) {
        action.withLock { $0 = body }
    }

    func schedulerDidDecide(_ decision: SchedulerDecision) {
        switch decision {
        case .start(let task, let waited): note(.start(task.id, waited: waited))
        case .refuse(let task, let reason): note(.refuse(task.id, reason))
        case .backOff(let task, let delay): note(.backOff(task.id, delay: delay))
        case .hold(let task, let delay): note(.hold(task.id, delay: delay))
        }
    }

    private func note(_ call: Call) {
        recorded.withLock { $0.append(call) }
        action.withLock { $0 }?(call)
    }
}

/// What a client does, in short.
extension PaginatorScheduler {
    func submit(_ task: UInt64, for client: UInt64, priority: FetchPriority, isPrefetch: Bool) {
        feed(.submit(SchedulerTask(client: client, id: task), SchedulerDemand(priority, isPrefetch: isPrefetch)))
    }

    func retry(
        _ task: UInt64, for client: UInt64, priority: FetchPriority, failures: Int, statedDelay: Duration?
    ) {
        let demand = SchedulerDemand(priority, isPrefetch: false)
        feed(
            .retry(SchedulerTask(client: client, id: task), demand, failures: failures, statedDelay: statedDelay))
    }

    func reprioritize(_ task: UInt64, for client: UInt64, priority: FetchPriority, isPrefetch: Bool) {
        feed(.reprioritize(SchedulerTask(client: client, id: task), SchedulerDemand(priority, isPrefetch: isPrefetch)))
    }

    func cancel(_ task: UInt64, for client: UInt64) { feed(.cancel(SchedulerTask(client: client, id: task))) }

    func attemptEnded(_ task: UInt64, for client: UInt64, outcome: AttemptOutcome) {
        feed(.attemptEnded(SchedulerTask(client: client, id: task), outcome))
    }
}
