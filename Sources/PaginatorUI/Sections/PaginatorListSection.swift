/// A run of neighboring items of a list that have the same key.
public struct PaginatorListSection<Key: Hashable & Sendable>: Identifiable, Hashable, Sendable {
    /// What tells one section of a list from another.
    public struct ID: Hashable, Sendable {
        /// The key that its items have.
        public let key: Key
        /// How many sections above it have the same key: zero where equal keys stand together.
        public let occurrence: Int
    }

    /// The section's identity, which no other section of the list has at the same time.
    public let id: ID
    /// The positions of its items in the list, never empty.
    public internal(set) var range: Range<Int>

    /// The key that its items have.
    public var key: Key { id.key }

    /// The number of its items.
    public var count: Int { range.count }
}
