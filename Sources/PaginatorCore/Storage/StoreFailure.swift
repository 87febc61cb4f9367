/// What went wrong in the file of a store, and with it what a store does next: the underlying error of its errors.
public struct StoreFailure: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a value to compare with; later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String, Sendable {
            case busy, full, readOnly, inputOutput, damagedPage, replaced, newer, foreign, unavailable
        }

        private let name: Name

        /// Somebody else holds the file; it is tried again, and nobody is told unless it lasts.
        public static let busy = Kind(name: .busy)
        /// There is no room; tried again with growing pauses.
        public static let full = Kind(name: .full)
        /// The file or its folder must not be written; tried again with growing pauses.
        public static let readOnly = Kind(name: .readOnly)
        /// The system failed to read or write; tried again with growing pauses.
        public static let inputOutput = Kind(name: .inputOutput)
        /// One page was damaged, and was removed; it counts as not stored.
        public static let damagedPage = Kind(name: .damagedPage)
        /// The file was damaged or had vanished, and a new one was started in its place; the call is made again.
        public static let replaced = Kind(name: .replaced)
        /// The file was written by a later version of the library; it is left alone, and the store stays off.
        public static let newer = Kind(name: .newer)
        /// The file belongs to another application; it is left alone, and the store stays off.
        public static let foreign = Kind(name: .foreign)
        /// Something else; tried again with growing pauses.
        public static let unavailable = Kind(name: .unavailable)

        /// The kind's name, the same as the static member's.
        public var description: String { name.rawValue }
    }

    /// What went wrong.
    public let kind: Kind
    /// The system's or the database's own number for it; zero where there is none.
    public let code: Int
    /// What was being done, free of user data: the name of a statement or a call.
    public let operation: String
    /// What the system said.
    public let message: String

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - kind: what went wrong.
    ///   - code: the system's own number for it.
    ///   - operation: what was being done.
    ///   - message: what the system said.
    public init(_ kind: Kind, code: Int = 0, operation: String, message: String) {
        self.kind = kind
        self.code = code
        self.operation = operation
        self.message = message
    }

    /// Kind, code, operation and message.
    public var description: String {
        "\(kind) (\(code)) in \(operation): \(message)"
    }
}

extension PaginatorError {
    /// Makes an error of a store.
    ///
    /// - Parameters:
    ///   - failure: what went wrong; kept as ``underlying``.
    ///   - message: a sentence for people.
    public init(store failure: StoreFailure, _ message: String) {
        self.init(.storeFailed, message, underlying: failure)
    }

    /// What went wrong in the store, where this is an error of one.
    public var storeFailure: StoreFailure? { underlying as? StoreFailure }

    /// The failure's kind, where one is known.
    package var storeKind: StoreFailure.Kind { storeFailure?.kind ?? .unavailable }
}
