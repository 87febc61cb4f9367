extension String {
    /// Calls `body` with the UTF-8 bytes, which are valid until it returns.
    @inline(__always)
    func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        // Without a reference of its own to the text.
        if let result = unsafe utf8.withContiguousStorageIfAvailable(body) { return result }
        // A bridged Foundation string is copied.
        var copy = self
        return copy.withUTF8(body)
    }
}
