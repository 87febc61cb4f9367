/// A value that decides: events go in, actions come out. It takes no lock, reads no clock, draws no random number, does no
/// I/O and calls nobody.
///
/// A ``MachineDriver`` feeds it and has its actions done. A machine with parts by reference is not copyable, so that no two
/// machines share them.
package protocol Machine<Event>: ~Copyable, SendableMetatype {
    associatedtype Event: Sendable
    /// What is done in the order decided, before the event's ``MachineDriver/feed(_:ordered:unordered:)`` returns.
    associatedtype Ordered: Sendable
    /// What is done later, in any order, with no lock held; its answer comes back as an event that names it.
    associatedtype Unordered: Sendable = Never

    var outbox: MachineOutbox<Ordered, Unordered> { get set }

    var nextDeadline: PaginatorInstant? { get }

    /// Takes one event; `now` is never earlier than before.
    mutating func handle(_ event: Event, at now: PaginatorInstant)

    /// What does not hold that must hold between two events; for tests.
    func invariantViolations() -> [String]
}

package struct MachineOutbox<Ordered: Sendable, Unordered: Sendable>: Sendable {
    var ordered: [Ordered] = []
    package var unordered: [Unordered] = []

    package init() {}

    // Memory of the usual size is kept to be used again.
    mutating func removeAll() {
        ordered.removeAll(keepingCapacity: ordered.capacity <= 64)
        unordered.removeAll(keepingCapacity: unordered.capacity <= 64)
    }
}
