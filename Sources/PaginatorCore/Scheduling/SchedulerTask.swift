/// A task as the scheduler knows it: a number that its client chose and never uses again.
package struct SchedulerTask: Hashable, Sendable {
    /// The client's number, given by the scheduler.
    let client: UInt64
    /// The task's number, chosen by the client.
    package let id: UInt64

    /// Names the task `id` of `client`.
    package init(client: UInt64, id: UInt64) {
        self.client = client
        self.id = id
    }
}

/// Who wants a task, and how much.
struct SchedulerDemand: Hashable, Sendable {
    var priority: FetchPriority
    /// Whether nobody waits for it yet.
    var isPrefetch: Bool
    /// Whether somebody is told how it ends, so that it should not wait for a connection.
    var isAwaited: Bool

    /// Makes a demand; by default somebody is told how anything but a prefetch ends.
    init(_ priority: FetchPriority, isPrefetch: Bool, isAwaited: Bool? = nil) {
        self.priority = priority
        self.isPrefetch = isPrefetch
        self.isAwaited = isAwaited ?? !isPrefetch
    }
}

/// What happens to a scheduler.
enum SchedulerEvent: Sendable {
    /// A task is ready to start; under conditions that do not let it, it waits or is refused.
    case submit(SchedulerTask, SchedulerDemand)
    /// A task that is not running is asked for with another priority, or by somebody else.
    case reprioritize(SchedulerTask, SchedulerDemand)
    /// A task wants another attempt, after so many failures in a row and at least the delay that its source stated.
    case retry(SchedulerTask, SchedulerDemand, failures: Int, statedDelay: Duration?)
    /// A task is not wanted any more; a running one gives its slot back.
    case cancel(SchedulerTask)
    /// A running task's attempt is over: it gives its slot back and is forgotten.
    case attemptEnded(SchedulerTask, AttemptOutcome)
    /// A client's source asks to be left alone.
    case pause(client: UInt64, Duration)
    /// A client is gone: its tasks go, its slots are free.
    case removeClient(UInt64)
    /// Nothing starts until `resume`; what runs goes on.
    case suspend
    /// Ends a suspension, however often it was asked for.
    case resume
    case conditionsChanged(PaginatorConditions)
    /// The conditions that were asked for at first; a change that was told before is newer.
    case conditionsAtStart(PaginatorConditions)
    case timePassed
}

/// Why a scheduler will not start a task.
enum SchedulerRefusal: Sendable, Hashable {
    /// There is no connection, and the configuration says not to wait for one.
    case offline
    /// The conditions speak for loading less, and nobody looks at the page yet.
    case heldBack
    /// The source has been failing, and this task was held back to spare it.
    case throttled
    /// The retry budget is spent.
    case budgetSpent
}

/// What an attempt showed about the source.
enum AttemptOutcome: Sendable, Hashable {
    /// The source did its work; its answer may be a page, or an error such as "not found" that is no sign of overload.
    case accepted
    /// The source failed in a way that overload or an outage explains: a time-out, no connection, 429, 5xx.
    case overloaded
    /// The attempt was given up before it showed anything.
    case abandoned
}

/// What a scheduler has decided about a task.
enum SchedulerDecision: Hashable, Sendable {
    /// The task holds a slot now; it had been ready for `waited`.
    case start(SchedulerTask, waited: Duration)
    /// The task is gone.
    case refuse(SchedulerTask, SchedulerRefusal)
    /// The task's next attempt is due after `delay`.
    case backOff(SchedulerTask, delay: Duration)
    /// The task waits because its client is paused; ``start(_:waited:)`` or a refusal will follow.
    case hold(SchedulerTask, delay: Duration)

    /// Whom it concerns.
    var client: UInt64 {
        switch self {
        case .start(let task, _), .refuse(let task, _), .backOff(let task, _), .hold(let task, _): task.client
        }
    }
}
