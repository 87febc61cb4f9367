#if SwiftMetrics
    public import Metrics
    public import PaginatorCore

    /// An observer that reports to the metrics system of swift-metrics; only with the package trait `SwiftMetrics`.
    ///
    /// Each event adds one to the counter "paginator.events", or its count where it tells of lost events or of pages that
    /// left the store, and each duration goes
    /// to the timer "paginator.duration". Both have the dimensions `kind`, the event's kind, and `label`, its text free of
    /// user data. Handles are made once for each pair, of which there are few.
    public final class PaginatorMetrics: PaginatorObserver {
        private struct Handles: Sendable {
            let events: Counter
            let duration: Timer
        }

        private let handles = Guarded<[String: Handles]>([:])
        private let dimensions: [(String, String)]
        private let factory: any MetricsFactory

        /// Makes an observer.
        ///
        /// - Parameters:
        ///   - dimensions: further dimensions of every metric, such as the paginator's name; none by default.
        ///   - factory: where metrics are made, the process's own by default.
        public init(dimensions: [(String, String)] = [], factory: any MetricsFactory = MetricsSystem.factory) {
            self.dimensions = dimensions
            self.factory = factory
        }

        /// Counts the event, and records its duration where it has one.
        public func paginatorDidReport(_ event: PaginatorEvent) {
            let handles = handles(for: event)
            handles.events.increment(by: event.weight)
            if let duration = event.duration { handles.duration.recordNanoseconds(duration.wholeNanoseconds) }
        }

        private func handles(for event: PaginatorEvent) -> Handles {
            let label = event.metricsLabel
            if let known = handles.withLock({ $0[label] }) { return known }
            // A factory is the user's code, so it runs outside the lock; of two threads the later one's handles stay.
            let all = dimensions + [("kind", event.kind.rawValue), ("label", label)]
            let made = Handles(
                events: Counter(label: "paginator.events", dimensions: all, factory: factory),
                duration: Timer(label: "paginator.duration", dimensions: all, factory: factory))
            handles.withLock { $0[label] = made }
            return made
        }
    }
#endif
