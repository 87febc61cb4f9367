#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the library keeps for each of its callers' threads, until the thread ends.
final class CurrentThread {
    private static let count = AtomicWord()

    /// The thread's number, from 1, in the order in which threads first ask: the first ones get different ones.
    let number = CurrentThread.count.add(1)
    var depth = 0
    /// What they have let go of.
    var objects: [any Sendable] = []

    /// `nil` when the system has no keys left; then nothing is kept.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        // The system calls this on the thread that ends, with what `make` stored; it holds the reference of `passRetained`.
        let code = unsafe pthread_key_create(&key) { stored in
            let stored: UnsafeMutableRawPointer? = unsafe stored
            if let stored = unsafe stored { unsafe Unmanaged<CurrentThread>.fromOpaque(stored).release() }
        }
        return code == 0 ? key : nil
    }()

    static var existing: CurrentThread? {
        guard let key, let stored = unsafe pthread_getspecific(key) else { return nil }
        // Only `make` stores under this key, an object of this type that the thread keeps alive.
        return unsafe Unmanaged<CurrentThread>.fromOpaque(stored).takeUnretainedValue()
    }

    static var current: CurrentThread { existing ?? make() }

    private static func make() -> CurrentThread {
        let thread = CurrentThread()
        guard let key else { return thread }
        // The key owns this reference; where it could not be stored, nobody does.
        let reference = unsafe Unmanaged.passRetained(thread)
        if unsafe pthread_setspecific(key, reference.toOpaque()) != 0 { unsafe reference.release() }
        return thread
    }
}
