/// An observer that turns events into names and attributes for an analytics service, free of user data.
///
/// ```swift
/// config.observer = PaginatorAnalytics { name, attributes in analytics.track(name, attributes) }
/// ```
///
/// Hits, misses and evictions, of memory and of the store, are summed, since they may come by the thousand: a record with
/// their count is sent with the first event that comes after the interval, and with the observer's end.
public struct PaginatorAnalytics: PaginatorObserver {
    /// The kinds that are recorded by default: hits, misses and evictions, what fetches end with, and what goes wrong.
    public static let defaultKinds: Set<PaginatorEvent.Kind> = summedKinds.union([
        .fetchEnded, .retryScheduled, .retryRefused, .throttled, .sourcePaused, .verdict, .storeFailed, .lateAnswer,
        .duplicateAnswer, .repeatedKey, .eventsLost,
    ])

    private static let summedKinds: Set<PaginatorEvent.Kind> = [
        .memoryHit, .memoryMiss, .storeHit, .storeMiss, .evicted, .storeEvicted,
    ]

    private let kinds: Set<PaginatorEvent.Kind>
    private let sums: Sums

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - kinds: which kinds of events are recorded; ``defaultKinds`` by default.
    ///   - interval: over what time hits, misses and evictions are summed, a minute by default; with zero each is sent.
    ///   - send: takes the name, which is "paginator." and the event's kind, and what is known: label, ms, attempt,
    ///     origin, cause, error, count, pageSize; one event at a time, on the queue of the events.
    public init(
        kinds: Set<PaginatorEvent.Kind> = PaginatorAnalytics.defaultKinds, interval: Duration = .seconds(60),
        send: @escaping @Sendable (_ name: String, _ attributes: [String: String]) -> Void
    ) {
        self.kinds = kinds
        sums = Sums(interval: interval, send: send)
    }

    /// Sends or counts the event, if its kind is among those that are wanted.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        let isSummed = Self.summedKinds.contains(event.kind)
        sums.take(event, isCounted: isSummed && kinds.contains(event.kind))
        guard !isSummed, kinds.contains(event.kind) else { return }
        var attributes = ["label": event.metricsLabel]
        attributes["ms"] = event.duration?.inMilliseconds
        attributes["attempt"] = event.attempt.map(String.init)
        attributes["origin"] = event.origin?.rawValue
        attributes["cause"] = event.evictionCause?.rawValue
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
