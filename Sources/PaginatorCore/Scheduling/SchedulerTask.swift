/// A task as the scheduler knows it: a number that its client chose and never uses again.
package struct SchedulerTask: Hashable, Sendable {
    /// The client's number, given by the scheduler.
    package let client: UInt64
    /// The task's number, chosen by the client.
    package let id: UInt64

    /// Names the task `id` of `client`.
    package init(client: UInt64, id: UInt64) {
        self.client = client
        self.id = id
    }
}

/// Why a scheduler will not start a task.
package enum SchedulerRefusal: Sendable, Hashable {
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
package enum AttemptOutcome: Sendable, Hashable {
    /// The source did its work; its answer may be a page, or an error such as "not found" that is no sign of overload.
    case accepted
    /// The source failed in a way that overload or an outage explains: a time-out, no connection, 429, 5xx.
    case overloaded
    /// The attempt was given up before it showed anything.
    case abandoned
}

/// What a scheduler has decided about a task or a client.
package enum SchedulerDecision: Hashable, Sendable {
    /// The task holds a slot now; it had been ready for `waited`.
    case start(SchedulerTask, waited: Duration)
    /// The task is gone.
    case refuse(SchedulerTask, SchedulerRefusal)
    /// The task's next attempt is due after `delay`.
    case backOff(SchedulerTask, delay: Duration)
    /// The task waits because its client is paused; ``start(_:waited:)`` or a refusal will follow.
    case hold(SchedulerTask, delay: Duration)
    /// The client's wake-up time is reached.
    case wake(client: UInt64)

    /// Whom it concerns.
    package var client: UInt64 {
        switch self {
        case .start(let task, _), .refuse(let task, _), .backOff(let task, _), .hold(let task, _): task.client
        case .wake(let client): client
        }
    }
}
