public import PaginatorCore

/// An observer that does what the test scripted for an event, once each: moves the clock when a load starts, lets the
/// network go when the first page came.
///
/// ```swift
/// let observer = ScriptedObserver()
/// observer.script(on: .loadStarted) { _ in connectivity.set(.offline) }
/// ```
///
/// Actions run on the queue of events. All calls may come from any thread.
public final class ScriptedObserver: PaginatorObserver {
    private typealias Action = @Sendable (PaginatorEvent) -> Void

    private let handshake = Handshake<[(kind: PaginatorEvent.Kind, action: Action)]>([])

    /// Makes an observer that does nothing.
    public init() {}

    /// Adds an action for the next event of a kind; several are taken in order, one for each event.
    ///
    /// - Parameters:
    ///   - kind: the kind of event.
    ///   - action: takes the event.
    public func script(on kind: PaginatorEvent.Kind, _ action: @escaping @Sendable (PaginatorEvent) -> Void) {
        handshake.update { $0.append((kind, action)) }
    }

    /// How many actions have not been taken.
    public var remaining: Int { handshake.read { $0.count } }

    /// Takes the next action of the event's kind, if there is one.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        let action = handshake.update { script -> Action? in
            guard let index = script.firstIndex(where: { $0.kind == event.kind }) else { return nil }
            return script.remove(at: index).action
        }
        action?(event)
    }
}
