public import PaginatorCore

/// What went wrong in the file of a store, and with it what a store does next: the underlying error of its errors.
public struct StoreFailure: Error, Sendable, CustomStringConvertible {
    /// What went wrong. Later versions may add kinds: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable {
        /// Somebody else holds the file; it is tried again, and nobody is told unless it lasts.
        case busy
        /// There is no room; tried again with growing pauses.
        case full
        /// The file or its folder must not be written; tried again with growing pauses.
        case readOnly
        /// The system failed to read or write; tried again with growing pauses.
        case inputOutput
        /// One page was damaged, and was removed; it counts as not stored.
        case damagedPage
        /// The file was damaged or had vanished, and a new one was started in its place; the call is made again.
        case replaced
        /// The file was written by a later version of the library; it is left alone, and the store stays off.
        case newer
        /// The file belongs to another application; it is left alone, and the store stays off.
        case foreign
        /// Something else; tried again with growing pauses.
        case unavailable
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
    ///   - failure: what went wrong; kept as ``/PaginatorCore/PaginatorError/underlying``.
    ///   - message: a sentence for people.
    public init(store failure: StoreFailure, _ message: String) {
        self.init(.storeFailed, message, underlying: failure)
    }

    /// What went wrong in the store, where this is an error of one.
    public var storeFailure: StoreFailure? { underlying as? StoreFailure }

    /// The failure's kind, where one is known.
    package var storeKind: StoreFailure.Kind { storeFailure?.kind ?? .unavailable }
}
