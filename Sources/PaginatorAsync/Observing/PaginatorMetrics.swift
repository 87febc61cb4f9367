#if SwiftMetrics
    public import Metrics
    public import PaginatorCore

    /// An observer that reports to swift-metrics; only with the package trait `SwiftMetrics`.
    ///
    /// Each event adds one to the counter "paginator.events", or its count for lost events and pages evicted from the
    /// store, and each duration is recorded by the timer "paginator.duration". Both have the dimensions `kind`, the
    /// event's kind, and `label`, its text without user data. Handles are made once for each of these few pairs.
    public final class PaginatorMetrics: PaginatorObserver {
        private struct Handles: Sendable {
            let events: Counter
            let duration: Timer
        }

        private let handles = Guarded<[String: Handles]>([:])
        private let dimensions: [(String, String)]
        private let factory: any MetricsFactory

        /// Creates an observer.
        ///
        /// - Parameters:
        ///   - dimensions: further dimensions of every metric, such as the paginator's name; none by default.
        ///   - factory: the factory of the metrics; the process's own by default.
        public init(dimensions: [(String, String)] = [], factory: any MetricsFactory = MetricsSystem.factory) {
            self.dimensions = dimensions
            self.factory = factory
        }

        /// Counts the event, and records its duration if it has one.
        public func paginatorDidReport(_ event: PaginatorEvent) {
            let handles = handles(for: event)
            handles.events.increment(by: event.weight)
            if let duration = event.duration { handles.duration.recordNanoseconds(duration.wholeNanoseconds) }
        }

        private func handles(for event: PaginatorEvent) -> Handles {
            let label = event.metricsLabel
            if let known = handles.withLock({ $0[label] }) { return known }
            // A factory is the user's code, and is called without the lock. Of two threads the later one's handles
            // stay.
            let all = dimensions + [("kind", event.kind.rawValue), ("label", label)]
            let made = Handles(
                events: Counter(label: "paginator.events", dimensions: all, factory: factory),
                duration: Timer(label: "paginator.duration", dimensions: all, factory: factory))
            handles.withLock { $0[label] = made }
            return made
        }
    }
#endif
