#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One object for each thread that asks for it, released when its thread ends.
struct ThreadValue<Value: AnyObject>: Sendable {
    private let key: pthread_key_t?

    /// Makes a value that no thread has yet. Its key is never given back, so it belongs into a static variable.
    init() {
        var key = pthread_key_t()
        // The system calls this on the thread that ends, with what `set` stored; it holds the reference of `passRetained`.
        let code = pthread_key_create(&key) { stored in
            let stored: UnsafeMutableRawPointer? = stored
            if let stored { Unmanaged<AnyObject>.fromOpaque(stored).release() }
        }
        self.key = code == 0 ? key : nil
    }

    /// The calling thread's object; `nil` before ``set(_:)``.
    package var current: Value? {
        guard let key, let stored = pthread_getspecific(key) else { return nil }
        // Sound: only `set` stores under this key, an object of this type that the thread keeps alive.
        return Unmanaged<Value>.fromOpaque(stored).takeUnretainedValue()
    }

    /// Gives the calling thread an object; does nothing when it has one, or when the system has no keys left.
    package func set(_ value: Value) {
        guard let key, pthread_getspecific(key) == nil else { return }
        let reference = Unmanaged.passRetained(value)
        if pthread_setspecific(key, reference.toOpaque()) != 0 { reference.release() }
    }
}
