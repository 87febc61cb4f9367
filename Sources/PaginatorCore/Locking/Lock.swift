#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A mutual-exclusion lock with a stable address: `os_unfair_lock` on Apple platforms, a `pthread_mutex_t` elsewhere.
///
/// It is not recursive. Hold it for a few instructions, and never while code of the library's user runs (an eviction
/// strategy is the one exception, and it is a value).
///
/// `@unchecked Sendable`: the only stored property is a pointer to the system's lock, which is made for sharing.
package final class Lock: @unchecked Sendable {
    #if canImport(Darwin)
        private let primitive = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
    #else
        private let primitive = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    #endif

    /// Makes an unlocked lock.
    package init() {
        #if canImport(Darwin)
            primitive.initialize(to: os_unfair_lock())
        #else
            primitive.initialize(to: pthread_mutex_t())
            let code = pthread_mutex_init(primitive, nil)
            precondition(code == 0, "pthread_mutex_init failed with code \(code)")
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(primitive)
        #endif
        primitive.deinitialize(count: 1)
        primitive.deallocate()
    }

    /// Waits until the lock is free and takes it.
    @inline(__always)
    package func lock() {
        #if canImport(Darwin)
            os_unfair_lock_lock(primitive)
        #else
            pthread_mutex_lock(primitive)
        #endif
    }

    /// Takes the lock when it is free, and says whether it did.
    @inline(__always)
    package func tryLock() -> Bool {
        #if canImport(Darwin)
            os_unfair_lock_trylock(primitive)
        #else
            pthread_mutex_trylock(primitive) == 0
        #endif
    }

    /// Releases the lock, which the calling thread holds.
    @inline(__always)
    package func unlock() {
        #if canImport(Darwin)
            os_unfair_lock_unlock(primitive)
        #else
            pthread_mutex_unlock(primitive)
        #endif
    }

    /// Runs `body` with the lock held.
    @inline(__always)
    package func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }
}
