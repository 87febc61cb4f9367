#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's lock: `os_unfair_lock` on Apple platforms, a `pthread_mutex_t` elsewhere.
///
/// It is not recursive. Hold it for a few instructions, and never while user code runs (the one exception is an
/// eviction strategy, which is a value).
///
/// `@unchecked Sendable`: the only stored property is a pointer to the system's lock, which any thread may use.
@safe package final class Lock: @unchecked Sendable {
    #if canImport(Darwin)
        private typealias Primitive = os_unfair_lock
    #else
        private typealias Primitive = pthread_mutex_t
    #endif

    // Allocated separately, because the system identifies a lock by its address, and a stored property has no stable
    // one. It lives from `init` to `deinit`, and every call holds a reference to this object.
    private let primitive = UnsafeMutablePointer<Primitive>.allocate(capacity: 1)

    package init() {
        unsafe primitive.initialize(to: Primitive())
        #if !canImport(Darwin)
            let code = unsafe pthread_mutex_init(primitive, nil)
            precondition(code == 0, "pthread_mutex_init failed with code \(code)")
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            unsafe pthread_mutex_destroy(primitive)
        #endif
        unsafe primitive.deinitialize(count: 1)
        unsafe primitive.deallocate()
    }

    package func lock() {
        #if canImport(Darwin)
            unsafe os_unfair_lock_lock(primitive)
        #else
            unsafe pthread_mutex_lock(primitive)
        #endif
    }

    func tryLock() -> Bool {
        #if canImport(Darwin)
            unsafe os_unfair_lock_trylock(primitive)
        #else
            unsafe pthread_mutex_trylock(primitive) == 0
        #endif
    }

    package func unlock() {
        #if canImport(Darwin)
            unsafe os_unfair_lock_unlock(primitive)
        #else
            unsafe pthread_mutex_unlock(primitive)
        #endif
    }

    package func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        lock()
        defer { unlock() }
        return try body()
    }
}
