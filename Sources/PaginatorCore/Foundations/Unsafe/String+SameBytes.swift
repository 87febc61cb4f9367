extension String {
    /// Whether both strings are the same UTF-8 bytes, which is stricter than `==`.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (mine, theirs) = (self, other)
        // Both pointers are used inside the calls that give them. A string of Apple's Foundation is copied first.
        return mine.withUTF8 { left in theirs.withUTF8 { right in unsafe left.elementsEqual(right) } }
    }
}
