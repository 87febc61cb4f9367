/// How urgent a load is. More urgent loads start first; within one priority, the one that asked first.
public enum FetchPriority: Int, Sendable, Comparable, CaseIterable {
    /// Work that nobody waits for yet, such as the neighbors of a page.
    case low
    /// The default of a fetch.
    case medium
    /// What a person looks at and waits for.
    case high

    /// Whether `left` is less urgent than `right`.
    public static func < (left: FetchPriority, right: FetchPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
