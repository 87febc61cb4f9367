/// Hands every event to several observers, in their order.
///
/// ```swift
/// config.observer = CompositeObserver([counters, logger])
/// ```
public struct CompositeObserver: PaginatorObserver {
    /// The observers, in order.
    public let observers: [any PaginatorObserver]

    /// Makes an observer of several.
    ///
    /// - Parameter observers: who takes each event; the first one first.
    public init(_ observers: [any PaginatorObserver]) {
        self.observers = observers
    }

    /// Hands the event to every observer. Complexity: the sum of theirs.
    public func paginatorDidReport(_ event: PaginatorEvent) {
        for observer in observers { observer.paginatorDidReport(event) }
    }
}
