/// An observer that sends events to an analytics service as names and attributes without user data.
///
/// ```swift
/// config.observer = PaginatorAnalytics { name, attributes in analytics.track(name, attributes) }
/// ```
///
/// Hits, misses and evictions of memory and store are counted, because there may be thousands: a record with their
/// count is sent with the first event after the interval, and when the observer is released.
public struct PaginatorAnalytics: PaginatorObserver {
    /// The kinds recorded by default: hits, misses and evictions, the ends of fetches, and failures.
    public static let defaultKinds: Set<PaginatorEvent.Kind> = summedKinds.union([
        .fetchEnded, .retryScheduled, .retryRefused, .throttled, .sourcePaused, .verdict, .storeFailed, .lateAnswer,
        .duplicateAnswer, .repeatedKey, .refusedKey, .followingLost, .eventsLost,
    ])

    private static let summedKinds: Set<PaginatorEvent.Kind> = [
        .memoryHit, .memoryMiss, .storeHit, .storeMiss, .evicted, .storeEvicted,
    ]

    private let kinds: Set<PaginatorEvent.Kind>
    private let sums: Sums

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - kinds: the kinds of events to record; ``defaultKinds`` by default.
    ///   - interval: over which hits, misses and evictions are counted; a minute by default. With zero each is sent.
    ///   - send: called on the event queue, one event at a time, with the name, "paginator." and the event's kind, and
    ///     the known attributes: label, ms, attempt, origin, error, count, pageSize.
    public init(
        kinds: Set<PaginatorEvent.Kind> = PaginatorAnalytics.defaultKinds, interval: Duration = .seconds(60),
        send: @escaping @Sendable (_ name: String, _ attributes: [String: String]) -> Void
    ) {
        self.kinds = kinds
        sums = Sums(interval: interval, send: send)
    }

    /// Sends or counts the event, if its kind is recorded.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        let isSummed = Self.summedKinds.contains(event.kind)
        sums.take(event, isCounted: isSummed && kinds.contains(event.kind))
        guard !isSummed, kinds.contains(event.kind) else { return }
        var attributes = ["label": event.metricsLabel]
        attributes["ms"] = event.duration?.inMilliseconds
        attributes["attempt"] = event.attempt.map(String.init)
        attributes["origin"] = event.origin?.rawValue
        attributes["error"] = event.error?.metricsLabel
        attributes["count"] = event.count.map(String.init)
        attributes["pageSize"] = event.identity.map { String($0.pageSize) }
        sums.send("paginator.\(event.kind.rawValue)", attributes)
    }

    private final class Sums: Sendable {
        private struct State {
            var counts: [String: (name: String, count: Int)] = [:]
            var since: PaginatorInstant?
        }

        let send: @Sendable (String, [String: String]) -> Void
        private let interval: Duration
        private let state = Guarded(State())

        init(interval: Duration, send: @escaping @Sendable (String, [String: String]) -> Void) {
            self.interval = interval
            self.send = send
        }

        func take(_ event: PaginatorEvent, isCounted: Bool) {
            let due = state.withLock { state -> State? in
                if isCounted {
                    state.since = state.since ?? event.time
                    let label = event.metricsLabel
                    let count = state.counts[label]?.count ?? 0
                    state.counts[label] = (event.kind.rawValue, count + event.weight)
                }
                guard let since = state.since, since.duration(to: event.time) >= interval else { return nil }
                defer { state = State() }
                return state
            }
            if let due { send(due) }
        }

        private func send(_ due: State) {
            for (label, sum) in due.counts.sorted(by: { $0.key < $1.key }) {
                send("paginator.\(sum.name)", ["label": label, "count": String(sum.count)])
            }
        }

        deinit { send(state.withLock { $0 }) }
    }
}
