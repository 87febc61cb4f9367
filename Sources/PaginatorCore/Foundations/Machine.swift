/// A value that makes decisions: events go in, actions come out. It takes no lock, reads no clock, does no I/O and
/// calls no other code. It takes its randomness from a seed.
///
/// A ``MachineDriver`` feeds it and performs its actions. A machine with reference-typed parts is not copyable, so that
/// no two machines share them.
package protocol Machine<Event>: ~Copyable, SendableMetatype {
    associatedtype Event: Sendable
    /// An action that is performed in order, before ``MachineDriver/feed(_:ordered:unordered:)`` of its event returns.
    associatedtype Ordered: Sendable
    /// An action that is performed later, in any order, without a lock; its answer is an event that names it.
    associatedtype Unordered: Sendable = Never

    var outbox: MachineOutbox<Ordered, Unordered> { get set }

    var nextDeadline: PaginatorInstant? { get }

    /// Handles one event; `now` is never earlier than before.
    mutating func handle(_ event: Event, at now: PaginatorInstant)

    /// Returns the violated invariants between two events; for tests.
    func invariantViolations() -> [String]
}

package struct MachineOutbox<Ordered: Sendable, Unordered: Sendable>: Sendable {
    var ordered: [Ordered] = []
    package var unordered: [Unordered] = []

    package init() {}

    // Keeps memory of the usual size for reuse.
    mutating func removeAll() {
        ordered.removeAll(keepingCapacity: ordered.capacity <= 64)
        unordered.removeAll(keepingCapacity: unordered.capacity <= 64)
    }
}
