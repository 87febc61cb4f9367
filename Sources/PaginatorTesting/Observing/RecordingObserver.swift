public import PaginatorCore

/// An observer that records every event, and that a test can wait for.
public final class RecordingObserver: PaginatorObserver {
    private let handshake = Handshake<[PaginatorEvent]>([])

    /// Makes an observer.
    public init() {}

    /// Records an event.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        handshake.update { $0.append(event) }
    }

    /// Every event so far, in order.
    public var events: [PaginatorEvent] { handshake.read { $0 } }

    /// The kinds of the events, in order.
    package var kinds: [PaginatorEvent.Kind] { events.map(\.kind) }

    /// Returns the events of one kind, in order.
    public func events(of kind: PaginatorEvent.Kind) -> [PaginatorEvent] { events.filter { $0.kind == kind } }

    /// Returns how many events of one kind have come.
    public func count(of kind: PaginatorEvent.Kind) -> Int { events(of: kind).count }

    /// Waits until a number of events of one kind have come.
    ///
    /// - Parameters:
    ///   - count: how many, since the observer was made; 1 by default.
    ///   - kind: the kind.
    /// - Returns: the events of that kind so far.
    /// - Throws: `CancellationError` when the task is cancelled first.
    @discardableResult
    public func waitForEvents(
        _ count: Int = 1, of kind: PaginatorEvent.Kind
    ) async throws(CancellationError) -> [PaginatorEvent] {
        try await handshake.wait { $0.count { $0.kind == kind } >= count }
        return events(of: kind)
    }

    /// Blocks the thread until a number of events of one kind have come: ``waitForEvents(_:of:)`` for synchronous
    /// tests.
    ///
    /// - Parameters:
    ///   - count: how many, since the observer was made; 1 by default.
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
    /// - Parameter holds: takes all events so far, after each new one; it must not call the observer.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait(
        until holds: @escaping @Sendable ([PaginatorEvent]) -> Bool
    ) async throws(CancellationError) {
        try await handshake.wait(until: holds)
    }
}
