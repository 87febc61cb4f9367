#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Which thread it is, for as long as the thread lives.
struct ThreadMark: Sendable, Hashable {
    private let value: UInt

    /// No thread.
    static let none = ThreadMark(value: 0)

    /// The calling thread.
    static var current: ThreadMark {
        #if canImport(Glibc)
            ThreadMark(value: UInt(pthread_self()))
        #else
            ThreadMark(value: UInt(bitPattern: pthread_self()))
        #endif
    }
}
