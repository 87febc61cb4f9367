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
