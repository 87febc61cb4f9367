#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Memory for tables that may become large.
///
/// Where the system has large pages for those who ask (Linux, `madvise`), a large table asks: a look-up in one of many
/// megabytes is mostly a wait for the processor to learn where a page of memory lies.
package enum LargeMemory {
    /// From this size in bytes on, a table is large: two of the usual large pages.
    package static let threshold = 4 << 20
    /// The size of a large page, in bytes.
    package static let largePage = 2 << 20

    /// Returns raw memory for `count` values, aligned to lines of the processor's cache; give it back by `deallocate()`.
    ///
    /// - Parameter isZeroed: whether all bytes are zero, for values of which that is one.
    package static func allocate<Value>(
        _ type: Value.Type, count: Int, isZeroed: Bool = false
    ) -> UnsafeMutablePointer<Value> {
        let bytes = count * MemoryLayout<Value>.stride
        let isLarge = bytes >= threshold
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: isLarge ? largePage : 64)
        #if canImport(Glibc)
            // A wish: without large pages the memory is as good, and only slower.
            if isLarge { madvise(memory, bytes, Int32(MADV_HUGEPAGE)) }
        #endif
        // Before it is bound to a type, because bytes that are written as another type would bind it to that one.
        if isZeroed { memset(memory, 0, bytes) }
        return memory.bindMemory(to: Value.self, capacity: count)
    }
}
