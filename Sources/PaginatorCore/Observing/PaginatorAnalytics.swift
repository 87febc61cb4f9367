/// An observer that turns events into names and attributes for an analytics service, free of user data.
///
/// ```swift
/// config.observer = PaginatorAnalytics { name, attributes in analytics.track(name, attributes) }
/// ```
public struct PaginatorAnalytics: PaginatorObserver {
    /// The kinds that are recorded by default: what fetches end with, and what goes wrong.
    public static let defaultKinds: Set<PaginatorEvent.Kind> = [
        .fetchEnded, .retryScheduled, .retryRefused, .throttled, .sourcePaused, .verdict, .storeFailed, .lateAnswer,
        .duplicateAnswer, .repeatedKey, .eventsLost,
    ]

    private let kinds: Set<PaginatorEvent.Kind>
    private let send: @Sendable (String, [String: String]) -> Void

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - kinds: which kinds of events are recorded; ``defaultKinds`` by default.
    ///   - send: takes the name, which is "paginator." and the event's kind, and what is known: label, ms, attempt,
    ///     origin, cause, error, count, pageSize; one event at a time, on the queue of the events.
    public init(
        kinds: Set<PaginatorEvent.Kind> = PaginatorAnalytics.defaultKinds,
        send: @escaping @Sendable (_ name: String, _ attributes: [String: String]) -> Void
    ) {
        self.kinds = kinds
        self.send = send
    }

    /// Sends the event, if its kind is among those that are wanted.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        guard kinds.contains(event.kind) else { return }
        var attributes = ["label": event.metricsLabel]
        attributes["ms"] = event.duration?.inMilliseconds
        attributes["attempt"] = event.attempt.map(String.init)
        attributes["origin"] = event.origin?.rawValue
        attributes["cause"] = event.evictionCause?.rawValue
        attributes["error"] = event.error?.metricsLabel
        attributes["count"] = event.count.map(String.init)
        attributes["pageSize"] = event.identity.map { String($0.pageSize) }
        send("paginator.\(event.kind.rawValue)", attributes)
    }
}
