/// A running fetch, which can be cancelled. Dropping it does not cancel the fetch.
///
/// `@unchecked Sendable`: this class has no mutable state; each subclass guards its own.
public class PaginatorExecution: @unchecked Sendable {
    private let onCancel: (@Sendable () -> Bool)?

    init(onCancel: (@Sendable () -> Bool)? = nil) {
        self.onCancel = onCancel
    }

    /// Cancels the fetch, unless the delivery of its answer has begun.
    ///
    /// After it returns, no preview and no page of this fetch is delivered. The terminal callback follows with
    /// ``PaginatorError/Code/cancelled`` on the callback queue. A load without other waiters is stopped. Complexity:
    /// O(1).
    ///
    /// - Returns: whether this call cancelled the fetch; false if it was already answered or cancelled.
    @discardableResult
    public func cancel() -> Bool { onCancel?() ?? false }

    /// Creates an execution for a test double or an adapter.
    ///
    /// - Parameter onCancel: called by ``cancel()`` on the caller's thread; returns whether it cancelled the fetch.
    public static func custom(onCancel: @escaping @Sendable () -> Bool) -> PaginatorExecution {
        PaginatorExecution(onCancel: onCancel)
    }
}
