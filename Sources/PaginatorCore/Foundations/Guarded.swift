/// A value that is only reached with its lock held.
///
/// `@unchecked Sendable`: `value` is read and written only inside `withLock`, which holds `lock`.
package final class Guarded<Value: ~Copyable>: @unchecked Sendable {
    private let lock = Lock()
    private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
    }

    /// `body` must not call code of the library's user.
    package func withLock<R: ~Copyable, E: Error>(_ body: (inout Value) throws(E) -> sending R) throws(E) -> sending R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
