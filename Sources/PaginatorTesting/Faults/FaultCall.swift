public import PaginatorCore

/// A call that a ``FaultPlan`` decides on.
public struct FaultCall: Sendable, Hashable, CustomStringConvertible {
    /// What is called; later versions may add operations.
    public struct Operation: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String, Sendable { case fetch, load, apply, flush }

        private let name: Name

        /// A source fetches a page.
        public static let fetch = Operation(name: .fetch)
        /// A store reads a page.
        public static let load = Operation(name: .load)
        /// A store takes changes.
        public static let apply = Operation(name: .apply)
        /// A store makes its changes durable.
        public static let flush = Operation(name: .flush)

        /// The operation's name, the same as the static member's.
        public var description: String { name.rawValue }
    }

    /// The number of the call, from 0, among all that the plan has decided on.
    public let number: Int
    /// What is called.
    public let operation: Operation
    /// The page that the call is for; `nil` for calls that are for none or for several.
    public let identity: PageIdentity?

    /// Number, operation and page.
    public var description: String {
        "#\(number) \(operation)" + (identity.map { " \($0)" } ?? "")
    }
}
