/// One running fetch, by which it can be cancelled. Dropping it does not cancel the fetch.
///
/// `@unchecked Sendable`: what this class has never changes; each subclass guards its own state.
public class PaginatorExecution: @unchecked Sendable {
    private let onCancel: (@Sendable () -> Bool)?

    init(onCancel: (@Sendable () -> Bool)? = nil) {
        self.onCancel = onCancel
    }

    /// Ends the fetch, unless its answer has already begun to be delivered.
    ///
    /// When it returns, no preview and no page of this fetch begins to be delivered any more; the terminal callback
    /// comes with ``PaginatorError/Code/cancelled``, later, on the callback queue. A load that nobody else waits for
    /// is stopped. Complexity: O(1).
    ///
    /// - Returns: whether this call ended the fetch; false when it was already answered or cancelled.
    @discardableResult
    public func cancel() -> Bool { onCancel?() ?? false }

    /// Makes an execution for a double or an adapter.
    ///
    /// - Parameter onCancel: called by ``cancel()``, on the caller's thread; says whether it ended the fetch.
    public static func custom(onCancel: @escaping @Sendable () -> Bool) -> PaginatorExecution {
        PaginatorExecution(onCancel: onCancel)
    }
}
