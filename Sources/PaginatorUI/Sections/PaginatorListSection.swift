/// A run of consecutive items of a list with the same key.
public struct PaginatorListSection<Key: Hashable & Sendable>: Identifiable, Hashable, Sendable {
    /// The identity of a section.
    public struct ID: Hashable, Sendable {
        /// The key of its items.
        public let key: Key
        /// The number of sections above it with the same key: zero if equal keys are together.
        public let occurrence: Int
    }

    /// The section's identity, unique in the list at a time.
    public let id: ID
    /// The positions of its items in the list; never empty.
    public internal(set) var range: Range<Int>

    /// The key of its items.
    public var key: Key { id.key }

    /// The number of its items.
    public var count: Int { range.count }
}
