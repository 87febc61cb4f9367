/// A task as the scheduler knows it: a number that its client chose and never uses again.
package struct SchedulerTask: Hashable, Sendable {
    let client: UInt64
    package let id: UInt64

    package init(client: UInt64, id: UInt64) {
        self.client = client
        self.id = id
    }
}

struct SchedulerDemand: Hashable, Sendable {
    var priority: FetchPriority
    /// Under what those who look ahead would have it run, any of them; empty where somebody looks at the page.
    var ahead: Set<PaginatorConditions>
    /// Whether it should not wait for a connection, or for conditions.
    var isAwaited: Bool

    init(_ priority: FetchPriority, ahead: Set<PaginatorConditions> = [], isAwaited: Bool? = nil) {
        self.priority = priority
        self.ahead = ahead
        self.isAwaited = isAwaited ?? ahead.isEmpty
    }

    var isPrefetch: Bool { !ahead.isEmpty }
}

enum SchedulerEvent: Sendable {
    /// A task is ready to start; under conditions that do not let it, it waits or is refused.
    case submit(SchedulerTask, SchedulerDemand)
    case reprioritize(SchedulerTask, SchedulerDemand)
    case retry(SchedulerTask, SchedulerDemand, failures: Int, statedDelay: Duration?)
    case cancel(SchedulerTask)
    case attemptEnded(SchedulerTask, AttemptOutcome)
    case pause(client: UInt64, Duration)
    case removeClient(UInt64)
    case suspend
    case resume
    case conditionsChanged(PaginatorConditions)
    /// The conditions that were asked for at first; a change that was told before is newer.
    case conditionsAtStart(PaginatorConditions)
    case timePassed
}

enum SchedulerRefusal: Sendable, Hashable {
    case offline
    /// The conditions speak for loading less, and nobody looks at the page yet.
    case heldBack
    case throttled
    case budgetSpent
}

enum AttemptOutcome: Sendable, Hashable {
    /// The source did its work; its answer may be a page, or an error such as "not found" that is no sign of overload.
    case accepted
    /// The source failed in a way that overload or an outage explains: a time-out, no connection, 429, 5xx.
    case overloaded
    case abandoned
}

enum SchedulerDecision: Hashable, Sendable {
    case start(SchedulerTask, waited: Duration)
    case refuse(SchedulerTask, SchedulerRefusal)
    case backOff(SchedulerTask, delay: Duration)
    /// Its client is paused; a start or a refusal will follow.
    case hold(SchedulerTask, delay: Duration)

    var client: UInt64 {
        switch self {
        case .start(let task, _), .refuse(let task, _), .backOff(let task, _), .hold(let task, _): task.client
        }
    }
}
