/// An observer that turns events into names and attributes for an analytics service, free of user data.
///
/// ```swift
/// config.observer = PaginatorAnalytics { record in
///     analytics.track(record.name, record.attributes)
/// }
/// ```
public struct PaginatorAnalytics: PaginatorObserver {
    /// One record for the service.
    public struct Record: Sendable, Hashable {
        /// "paginator." and the name of the event's kind.
        public let name: String
        /// What is known, as texts: label, ms, attempt, origin, cause, error, count, pageSize.
        public let attributes: [String: String]
    }

    /// The kinds that are recorded by default: what fetches end with, and what goes wrong.
    public static let defaultKinds: Set<PaginatorEvent.Kind> = [
        .fetchEnded, .retryScheduled, .retryRefused, .throttled, .sourcePaused, .verdict, .storeFailed, .lateAnswer,
        .duplicateAnswer, .repeatedKey, .eventsLost,
    ]

    private let kinds: Set<PaginatorEvent.Kind>
    private let send: @Sendable (Record) -> Void

    /// Makes an observer.
    ///
    /// - Parameters:
    ///   - kinds: which kinds of events are recorded; ``defaultKinds`` by default.
    ///   - send: takes each record, one at a time, on the queue of the events.
    public init(
        kinds: Set<PaginatorEvent.Kind> = PaginatorAnalytics.defaultKinds, send: @escaping @Sendable (Record) -> Void
    ) {
        self.kinds = kinds
        self.send = send
    }

    /// Hands over a record, if the kind is among those that are wanted.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        guard kinds.contains(event.kind) else { return }
        var attributes = ["label": event.metricsLabel]
        attributes["ms"] = event.duration?.inMilliseconds
        attributes["attempt"] = event.attempt.map(String.init)
        attributes["origin"] = event.origin?.rawValue
        attributes["cause"] = event.evictionCause?.description
        attributes["error"] = event.error?.metricsLabel
        attributes["count"] = event.count.map(String.init)
        attributes["pageSize"] = event.identity.map { String($0.pageSize) }
        send(Record(name: "paginator.\(event.kind)", attributes: attributes))
    }
}
