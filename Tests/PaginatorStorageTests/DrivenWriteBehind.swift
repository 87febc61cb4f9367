import PaginatorCore
import Testing

@testable import PaginatorStorage

/// A machine with the time and the actions of its last event; what must always hold is looked at after each.
struct DrivenWriteBehind {
    typealias Machine = WriteBehindMachine<String, Int, Int>
    /// What one event brought: actions, and the time until the next deadline where the event set one.
    typealias Done = (actions: [Machine.Action], pause: Duration?)

    private var machine: Machine
    private var now = PaginatorInstant.zero

    init(_ config: WriteBehindConfig) { machine = Machine(config: config) }

    var pendingChanges: Int { machine.pendingChanges }

    private mutating func feed(_ event: Machine.Event) -> Done {
        let before = machine.nextDeadline
        machine.handle(event, at: now)
        #expect(machine.invariantViolations() == [])
        defer { machine.outbox = MachineOutbox() }
        let isSet = machine.nextDeadline != before
        return (machine.outbox.unordered, isSet ? machine.nextDeadline.map { now.duration(to: $0) } : nil)
    }

    mutating func start() -> Done { feed(.start) }
    mutating func load(_ identity: PageIdentity, for waiter: Int) -> Done { feed(.load(identity, waiter)) }
    mutating func apply(_ changes: [StoreChange<String>], for waiter: Int) -> Done { feed(.apply(changes, waiter)) }
    mutating func flush(for waiter: Int) -> Done { feed(.flush(waiter)) }
    mutating func close() -> Done { feed(.close) }
    mutating func recovered(_ error: PaginatorError?, hasWork: Bool) -> Done {
        feed(.recovered(error.map(Result.failure) ?? .success(hasWork)))
    }
    mutating func fileWasReplaced(_ error: PaginatorError) -> Done { feed(.fileWasReplaced(error)) }
    mutating func readFinished(_ token: Int, _ result: Machine.ReadResult) -> Done {
        feed(.readFinished(token, result))
    }
    mutating func prepared(_ error: PaginatorError?, edited: Set<PageIdentity>? = nil) -> Done {
        feed(.prepared(error.map(Result.failure) ?? .success(edited)))
    }
    mutating func commitFinished(_ error: PaginatorError?) -> Done {
        feed(.committed(error.map(Result.failure) ?? .success([])))
    }

    /// Lets the time pass until the deadline.
    mutating func timerFired() -> Done {
        now = machine.nextDeadline ?? now
        return feed(.timePassed)
    }
}
