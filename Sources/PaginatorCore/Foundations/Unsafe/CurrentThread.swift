#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The library's thread-local state, kept until the thread ends.
final class CurrentThread {
    private static let count = AtomicWord()

    /// The thread's number, from 1, in the order of first use.
    let number = CurrentThread.count.add(1)
    var depth = 0
    /// The objects whose release is deferred.
    var objects: [any Sendable] = []

    /// `nil` if the system has no keys left; then nothing is kept.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        // Called on the ending thread with what `make` stored: the reference of `passRetained`.
        let code = unsafe pthread_key_create(&key) { stored in
            let stored: UnsafeMutableRawPointer? = unsafe stored
            if let stored = unsafe stored { unsafe Unmanaged<CurrentThread>.fromOpaque(stored).release() }
        }
        return code == 0 ? key : nil
    }()

    static var existing: CurrentThread? {
        guard let key, let stored = unsafe pthread_getspecific(key) else { return nil }
        // Only `make` stores under this key: an object of this type, which the thread keeps alive.
        return unsafe Unmanaged<CurrentThread>.fromOpaque(stored).takeUnretainedValue()
    }

    static var current: CurrentThread { existing ?? make() }

    private static func make() -> CurrentThread {
        let thread = CurrentThread()
        guard let key else { return thread }
        // The key owns this reference. If it could not be stored, it is released below.
        let reference = unsafe Unmanaged.passRetained(thread)
        if unsafe pthread_setspecific(key, reference.toOpaque()) != 0 { unsafe reference.release() }
        return thread
    }
}
