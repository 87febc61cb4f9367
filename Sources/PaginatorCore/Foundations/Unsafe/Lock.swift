/// A mutual-exclusion lock with a stable address: `os_unfair_lock` on Apple platforms, a `pthread_mutex_t` elsewhere.
///
/// It is not recursive. Hold it for a few instructions, and never while code of the library's user runs (an eviction
/// strategy is the one exception, and it is a value).
///
/// `@unchecked Sendable`: the only stored property is a pointer to the system's lock, which is made for sharing.
@safe package final class Lock: @unchecked Sendable {
    // On the heap of its own, because a stored property has no address that stays. It lives from `init` to `deinit`, and
    // every call holds a reference to this object, so none finds it gone.
    private let primitive = UnsafeMutablePointer<SystemLock.Storage>.allocate(capacity: 1)

    /// Makes an unlocked lock.
    package init() {
        unsafe SystemLock.initialize(primitive)
    }

    deinit {
        unsafe SystemLock.deinitialize(primitive)
        unsafe primitive.deallocate()
    }

    /// Waits until the lock is free and takes it.
    @inline(__always)
    package func lock() { unsafe SystemLock.lock(primitive) }

    /// Takes the lock when it is free, and says whether it did.
    @inline(__always)
    func tryLock() -> Bool { unsafe SystemLock.tryLock(primitive) }

    /// Releases the lock, which the calling thread holds.
    @inline(__always)
    package func unlock() { unsafe SystemLock.unlock(primitive) }

    /// Runs `body` with the lock held.
    @inline(__always)
    package func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }
}
