public import PaginatorCore

/// A failure of a store's file, which decides what the store does next: the underlying error of a store's errors.
public struct StoreFailure: Error, Sendable, CustomStringConvertible {
    /// The kind of failure. Later versions may add kinds: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Sendable {
        /// Another process holds the file. Retried, and only reported if it lasts.
        case busy
        /// There is no space left. Retried with growing pauses.
        case full
        /// The file or its folder is not writable. Retried with growing pauses.
        case readOnly
        /// The system failed to read or write. Retried with growing pauses.
        case inputOutput
        /// A damaged page was removed, and counts as not stored.
        case damagedPage
        /// The file was damaged or missing, and replaced by a new one. The call is repeated.
        case replaced
        /// A later version of the library wrote the file. It is not touched, and the store stays off.
        case newer
        /// The file belongs to another application. It is not touched, and the store stays off.
        case foreign
        /// Any other failure. Retried with growing pauses.
        case unavailable
    }

    /// The kind of failure.
    public let kind: Kind
    /// The system's or the database's code; zero if there is none.
    public let code: Int
    /// The name of the statement or call that failed, without user data.
    public let operation: String
    /// The system's message.
    public let message: String

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - kind: the kind of failure.
    ///   - code: the system's code.
    ///   - operation: the name of the statement or call that failed.
    ///   - message: the system's message.
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
    /// Creates an error of a store.
    ///
    /// - Parameters:
    ///   - failure: the failure, for ``/PaginatorCore/PaginatorError/underlying``.
    ///   - message: a sentence for developers.
    public init(store failure: StoreFailure, _ message: String) {
        self.init(.storeFailed, message, underlying: failure)
    }

    /// The store's failure, if this is the error of one.
    public var storeFailure: StoreFailure? { underlying as? StoreFailure }

    /// The failure's kind, if it is known.
    package var storeKind: StoreFailure.Kind { storeFailure?.kind ?? .unavailable }
}
