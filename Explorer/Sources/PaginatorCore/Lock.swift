import CExplorer

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The library's lock, in place of `Foundations/Unsafe/Lock.swift`: the explorer decides which thread gets it.
///
/// The system's lock is taken, too, which never waits then: by it ThreadSanitizer knows what the lock orders.
///
/// `@unchecked Sendable`: the only stored property is a pointer to the system's lock, which is made for sharing.
package final class Lock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func lock() {
        explorer_lock(mutex)
        pthread_mutex_lock(mutex)
    }

    func tryLock() -> Bool {
        explorer_try_lock(mutex) != 0 && pthread_mutex_trylock(mutex) == 0
    }

    package func unlock() {
        pthread_mutex_unlock(mutex)
        explorer_unlock(mutex)
    }

    package func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }
}
