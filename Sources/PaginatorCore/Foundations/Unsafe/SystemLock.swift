#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's lock in memory that the caller provides: `os_unfair_lock` on Apple platforms, `pthread_mutex_t` elsewhere.
///
/// ``Lock`` is the form for everybody; this one is for locks that must lie at a certain place. Unsafe because the system
/// knows a lock by its address: whoever makes one keeps it there, initialized, for as long as anybody uses it.
enum SystemLock {
    #if canImport(Darwin)
        typealias Storage = os_unfair_lock
    #else
        typealias Storage = pthread_mutex_t
    #endif

    /// Makes an unlocked lock in raw memory.
    static func initialize(_ storage: UnsafeMutablePointer<Storage>) {
        unsafe storage.initialize(to: Storage())
        #if !canImport(Darwin)
            let code = unsafe pthread_mutex_init(storage, nil)
            precondition(code == 0, "pthread_mutex_init failed with code \(code)")
        #endif
    }

    /// Ends a lock that nobody holds; its memory is raw again.
    static func deinitialize(_ storage: UnsafeMutablePointer<Storage>) {
        #if !canImport(Darwin)
            unsafe pthread_mutex_destroy(storage)
        #endif
        unsafe storage.deinitialize(count: 1)
    }

    /// Waits until the lock is free and takes it.
    @inline(__always)
    static func lock(_ storage: UnsafeMutablePointer<Storage>) {
        #if canImport(Darwin)
            unsafe os_unfair_lock_lock(storage)
        #else
            unsafe pthread_mutex_lock(storage)
        #endif
    }

    /// Takes the lock when it is free, and says whether it did.
    @inline(__always)
    static func tryLock(_ storage: UnsafeMutablePointer<Storage>) -> Bool {
        #if canImport(Darwin)
            unsafe os_unfair_lock_trylock(storage)
        #else
            unsafe pthread_mutex_trylock(storage) == 0
        #endif
    }

    /// Releases the lock, which the calling thread holds.
    @inline(__always)
    static func unlock(_ storage: UnsafeMutablePointer<Storage>) {
        #if canImport(Darwin)
            unsafe os_unfair_lock_unlock(storage)
        #else
            unsafe pthread_mutex_unlock(storage)
        #endif
    }
}
