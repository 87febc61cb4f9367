/// Why an inspector did not do what it was asked for.
public struct PaginatorInspectorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. Later versions may add reasons: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Reason: String, Sendable {
        /// It is no command.
        case unknown
        /// What it is about is not attached any more.
        case gone
        /// What it is about cannot do that.
        case impossible
        /// The paginator was attached without ``PaginatorInspectorFaults``.
        case noFaults
        /// It names a page by its hash, from which the key cannot be told.
        case hashedPage
        /// Something holds the page in memory, such as a list that shows it.
        case pinned
        /// The page is not in memory.
        case absent
        /// A clock never goes back.
        case past
    }

    /// What is wrong.
    public let reason: Reason

    init(_ reason: Reason) {
        self.reason = reason
    }

    /// A sentence for people.
    public var description: String {
        switch reason {
        case .unknown: "This is no command."
        case .gone: "It is not attached any more."
        case .impossible: "It cannot do that."
        case .noFaults: "Attach the paginator with faults to force some."
        case .hashedPage: "The page is known by its hash alone. Allow keys to name it."
        case .pinned: "The page is pinned: a list holds it in memory."
        case .absent: "The page is not in memory."
        case .past: "That time has passed, and a clock never goes back."
        }
    }
}
