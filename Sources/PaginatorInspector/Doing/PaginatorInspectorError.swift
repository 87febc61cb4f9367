/// The error of a command to an inspector.
public struct PaginatorInspectorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason. Later versions may add reasons: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Reason: String, Sendable {
        /// It is not a command.
        case unknown
        /// Its subject is no longer attached.
        case gone
        /// Its subject cannot do that.
        case impossible
        /// The paginator was attached without ``PaginatorInspectorFaults``.
        case noFaults
        /// It names a page by its hash, from which the key is unknown.
        case hashedPage
        /// Something pins the page in memory, such as a list that shows it.
        case pinned
        /// The page is not in memory.
        case absent
        /// A clock cannot go back.
        case past
    }

    /// The reason.
    public let reason: Reason

    init(_ reason: Reason) {
        self.reason = reason
    }

    /// The error as a sentence.
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
