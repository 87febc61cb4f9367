/// An observer that keeps counters of what is reported.
public final class CountingObserver: PaginatorObserver {
    private let state = Guarded(PaginatorCounters())

    /// Makes an observer whose counters stand at zero.
    public init() {}

    /// The counters so far. Complexity: O(1).
    public var counters: PaginatorCounters { state.withLock { $0 } }

    /// Returns the counters so far and sets them back to zero, for reports over a span of time.
    public func takeCounters() -> PaginatorCounters {
        state.withLock { counters in
            let taken = counters
            counters = PaginatorCounters()
            return taken
        }
    }

    /// Counts the event.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        state.withLock { $0.record(event) }
    }
}
