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
        let (mine, theirs) = (utf8, other.utf8)
        guard mine.count == theirs.count else { return false }
        // Both pointers are used inside the calls that give them, for as many bytes as both have.
        let result = unsafe mine.withContiguousStorageIfAvailable { left in
            unsafe theirs.withContiguousStorageIfAvailable { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return unsafe memcmp(first, second, left.count) == 0
            }
        }
        // A string of Apple's Foundation may have no bytes in one piece.
        return result.flatMap { $0 } ?? mine.elementsEqual(theirs)
    }
}
