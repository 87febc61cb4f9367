#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension String {
    /// Returns whether both strings have the same UTF-8 bytes, which is stricter than `==`.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // A fast path, since most scopes are empty.
        if isEmpty { return true }
        return unsafe withBytes { left in
            unsafe other.withBytes { right in
                guard left.count == right.count else { return false }
                guard let start = left.baseAddress, let other = right.baseAddress else { return true }
                return unsafe memcmp(start, other, left.count) == 0
            }
        }
    }

    // The system's search is many times faster than one by characters or bytes.
    var containsNUL: Bool {
        unsafe withBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe memchr(start, 0, bytes.count) != nil
        }
    }
}
