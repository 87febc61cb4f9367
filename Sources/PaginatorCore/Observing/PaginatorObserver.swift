/// Takes what a paginator reports of its work.
///
/// Events come in the order in which they were decided, one at a time, on a queue of their own that is never the
/// callback queue. A slow observer loses events, which are counted, and slows nothing down.
public protocol PaginatorObserver: Sendable {
    /// Takes one event.
    ///
    /// - Parameter event: what happened.
    func paginatorDidReport(_ event: PaginatorEvent)
}

extension PaginatorObserver {
    /// Returns an observer that hands every event to this one and then to `other`.
    ///
    /// ```swift
    /// config.observer = logger.and(analytics)
    /// ```
    ///
    /// - Parameter other: who else takes each event.
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
