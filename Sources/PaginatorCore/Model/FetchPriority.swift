/// The priority of a load. Loads with a higher priority start first; within a priority, the one requested first.
public enum FetchPriority: Int, Sendable, Comparable, CaseIterable {
    /// For pages without a waiter yet, such as neighbors.
    case low
    /// The default of a fetch.
    case medium
    /// For pages that the user is waiting for.
    case high

    /// Whether `left` is lower than `right`.
    public static func < (left: FetchPriority, right: FetchPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
