/// Decides what happens after a failed attempt: another one, a cached page, or the error.
///
/// ```swift
/// config.errorStrategy = ErrorStrategy { failure in
///     failure.cachedAge.map { $0 < .hours(1) } == true ? .serveCached : ErrorStrategy.standard.decide(failure)
/// }
/// ```
public struct ErrorStrategy: Sendable {
    /// A failed attempt.
    public struct Failure: Sendable {
        /// The page asked for.
        public let identity: PageIdentity
        /// What went wrong.
        public let error: PaginatorError
        /// Which attempt it was, from 1.
        public let attempt: Int
        /// How many attempts the configuration allows.
        public let maxAttempts: Int
        /// Whether the source, or the kind of failure, says that another attempt may succeed.
        public let isRetryable: Bool
        /// How long ago the source gave the cached page that could serve instead; `nil` when there is none.
        public let cachedAge: Duration?
    }

    /// What to do.
    public enum Decision: Sendable {
        /// Try again after the scheduler's back-off. Beyond the allowed attempts it counts as ``serveCached``.
        case retry
        /// Answer with the cached page to those whose policy allows it, and with the error to the others.
        case serveCached
        /// Answer with the error to those whose policy does not name a fallback of its own.
        case fail
    }

    private let body: @Sendable (Failure) -> Decision

    /// Tries again while the failure is retryable and attempts are left, then serves the cached page.
    public static let standard = ErrorStrategy { failure in
        failure.isRetryable && failure.attempt < failure.maxAttempts ? .retry : .serveCached
    }

    /// Tries again like ``standard``, then fails even where there is a cached page.
    public static let neverServeCached = ErrorStrategy { failure in
        failure.isRetryable && failure.attempt < failure.maxAttempts ? .retry : .fail
    }

    /// Makes a strategy from a closure.
    ///
    /// - Parameter decide: called on a background thread after each failed attempt, never with a lock held.
    public init(_ decide: @escaping @Sendable (Failure) -> Decision) {
        body = decide
    }

    /// Returns what to do after `failure`.
    public func decide(_ failure: Failure) -> Decision { body(failure) }
}
