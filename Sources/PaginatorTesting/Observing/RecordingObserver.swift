public import PaginatorCore

/// An observer that records every event, and for which a test can wait.
public final class RecordingObserver: PaginatorObserver {
    private let handshake = Handshake<[PaginatorEvent]>([])

    /// Creates an observer.
    public init() {}

    /// Records an event.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        handshake.update { $0.append(event) }
    }

    /// Every event so far, in order.
    public var events: [PaginatorEvent] { handshake.read { $0 } }

    /// The kinds of the events, in order.
    package var kinds: [PaginatorEvent.Kind] { events.map(\.kind) }

    /// Returns the events of a kind, in order.
    public func events(of kind: PaginatorEvent.Kind) -> [PaginatorEvent] { events.filter { $0.kind == kind } }

    /// Returns the number of events of a kind.
    public func count(of kind: PaginatorEvent.Kind) -> Int { events(of: kind).count }

    /// Waits until there are a number of events of a kind.
    ///
    /// - Parameters:
    ///   - count: the number of events since the observer was created; 1 by default.
    ///   - kind: the kind.
    /// - Returns: the events of that kind so far.
    /// - Throws: `CancellationError` if the task is cancelled first.
    @discardableResult
    public func waitForEvents(
        _ count: Int = 1, of kind: PaginatorEvent.Kind
    ) async throws(CancellationError) -> [PaginatorEvent] {
        try await handshake.wait { $0.count { $0.kind == kind } >= count }
        return events(of: kind)
    }

    /// Blocks the thread until there are a number of events of a kind: ``waitForEvents(_:of:)`` for synchronous tests.
    ///
    /// - Parameters:
    ///   - count: the number of events since the observer was created; 1 by default.
    ///   - kind: the kind.
    /// - Returns: the events of that kind so far.
    @available(*, noasync, message: "use waitForEvents(_:of:)")
    @discardableResult
    public func blockUntilEvents(_ count: Int = 1, of kind: PaginatorEvent.Kind) -> [PaginatorEvent] {
        handshake.block { $0.count { $0.kind == kind } >= count }
        return events(of: kind)
    }

    /// Waits until a condition on the events holds.
    ///
    /// - Parameter holds: called with all events so far, after each new one; it must not call the observer.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func wait(
        until holds: @escaping @Sendable ([PaginatorEvent]) -> Bool
    ) async throws(CancellationError) {
        try await handshake.wait(until: holds)
    }
}
