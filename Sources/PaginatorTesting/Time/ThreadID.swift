#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The identity of a thread, valid while the thread lives.
struct ThreadID: Sendable, Hashable {
    private let value: UInt

    /// No thread.
    static let none = ThreadID(value: 0)

    /// The calling thread.
    static var current: ThreadID {
        // An integer on Linux, a pointer elsewhere.
        #if canImport(Glibc)
            ThreadID(value: UInt(pthread_self()))
        #else
            ThreadID(value: UInt(bitPattern: pthread_self()))
        #endif
    }
}
