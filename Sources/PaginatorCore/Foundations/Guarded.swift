/// A value that can be accessed only while its lock is held.
///
/// `@unchecked Sendable`: `value` is read and written only inside `withLock`, which holds `lock`.
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
    private let lock = Lock()
    private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
    }

    /// Calls `body` with the value under the lock. `body` must not call user code.
    package func withLock<R: ~Copyable, E: Error>(_ body: (inout Value) throws(E) -> sending R) throws(E) -> sending R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Guarded where Value: Sendable {
    /// Sets the value and returns the former one, which the caller releases without the lock, since it may hold objects
    /// of the user.
    @discardableResult
    package func replace(with new: Value) -> Value {
        var value = new
        withLock { swap(&$0, &value) }
        return value
    }
}
