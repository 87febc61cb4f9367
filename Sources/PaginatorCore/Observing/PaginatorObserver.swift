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
