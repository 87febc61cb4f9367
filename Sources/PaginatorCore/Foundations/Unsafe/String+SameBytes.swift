#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension String {
    /// Whether both strings are the same UTF-8 bytes, which is stricter than `==`.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Most scopes are.
        if isEmpty { return true }
        var (mine, theirs) = (self, other)
        // Both pointers are used inside the calls that give them. A string of Apple's Foundation is copied first.
        return mine.withUTF8 { left in
            theirs.withUTF8 { right in
                guard left.count == right.count else { return false }
                guard let start = left.baseAddress, let other = right.baseAddress else { return true }
                return unsafe memcmp(start, other, left.count) == 0
            }
        }
    }

    var containsNUL: Bool {
        var text = self
        // As above; the system's search is many times faster than one by characters or by bytes.
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe memchr(start, 0, bytes.count) != nil
        }
    }
}
