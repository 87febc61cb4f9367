/// Observes the events of a paginator.
///
/// Events are delivered in order, one at a time, on a queue of their own that is never the callback queue. A slow
/// observer loses events, which are counted, and delays nothing.
public protocol PaginatorObserver: Sendable {
    /// Called with each event.
    ///
    /// - Parameter event: the event.
    func paginatorDidReport(_ event: PaginatorEvent)
}

extension PaginatorObserver {
    /// Returns an observer that passes each event to this one and then to `other`.
    ///
    /// ```swift
    /// config.observer = logger.and(analytics)
    /// ```
    ///
    /// - Parameter other: the second observer.
    public func and(_ other: some PaginatorObserver) -> some PaginatorObserver {
        ObserverPair(first: self, second: other)
    }
}

private struct ObserverPair<First: PaginatorObserver, Second: PaginatorObserver>: PaginatorObserver {
    let first: First
    let second: Second

    func paginatorDidReport(_ event: PaginatorEvent) {
        first.paginatorDidReport(event)
        second.paginatorDidReport(event)
    }
}
