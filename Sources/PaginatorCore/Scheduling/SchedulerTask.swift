/// A task of the scheduler: a number that its client chose and never reuses.
package struct SchedulerTask: Hashable, Sendable {
    let client: UInt64
    package let id: UInt64

    package init(client: UInt64, id: UInt64) {
        self.client = client
        self.id = id
    }
}

struct SchedulerDemand: Hashable, Sendable {
    enum Wanted: Hashable, Sendable {
        case byCaller
        /// Only by work ahead of callers (prefetches, neighbors, renewals of their pages), any of which may run under
        /// its set of conditions. If it may not wait for conditions or for a connection, it is refused.
        case ahead(Set<PaginatorConditions>, mayWait: Bool)
    }

    var priority: FetchPriority
    var wanted = Wanted.byCaller
    var needsConnection = true

    var isAhead: Bool { wanted != .byCaller }
}

enum SchedulerEvent: Sendable {
    /// A task is ready to start. If conditions prevent it, it waits or is refused.
    case submit(SchedulerTask, SchedulerDemand)
    case reprioritize(SchedulerTask, SchedulerDemand)
    /// A task wants another attempt. `failures` is 0 if the source was not called.
    case retry(SchedulerTask, SchedulerDemand, failures: Int, statedDelay: Duration?)
    case cancel(SchedulerTask)
    case attemptEnded(SchedulerTask, AttemptOutcome)
    case pause(client: UInt64, Duration)
    case removeClient(UInt64)
    case suspend
    case resume
    case conditionsChanged(PaginatorConditions)
    /// The conditions at the start. Ignored if a change was reported before.
    case conditionsAtStart(PaginatorConditions)
    case timePassed
}

enum SchedulerRefusal: Sendable, Hashable {
    case offline
    /// Conditions that reduce loading hold it back, and no caller waits for the page.
    case heldBack
    case throttled
    case budgetSpent
}

enum AttemptOutcome: Sendable, Hashable {
    /// The source answered: with a page, or an error such as "not found" that is no sign of overload.
    case accepted
    /// The source failed in a way that overload or an outage explains: a timeout, no connection, 429, 5xx.
    case overloaded
    case abandoned
}

enum SchedulerDecision: Hashable, Sendable {
    case start(SchedulerTask, waited: Duration)
    case refuse(SchedulerTask, SchedulerRefusal)
    case backOff(SchedulerTask, delay: Duration)
    /// Its client is paused. A start or a refusal follows.
    case hold(SchedulerTask, delay: Duration)

    var client: UInt64 {
        switch self {
        case .start(let task, _), .refuse(let task, _), .backOff(let task, _), .hold(let task, _): task.client
        }
    }
}
