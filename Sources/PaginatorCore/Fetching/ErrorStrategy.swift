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
        /// The requested page.
        public let identity: PageIdentity
        /// What went wrong.
        public let error: PaginatorError
        /// The number of the attempt, from 1.
        public let attempt: Int
        /// The number of attempts that the configuration allows, plus those that failed without a connection.
        public let maxAttempts: Int
        /// Whether the source, or the kind of failure, says that another attempt may succeed.
        public let isRetryable: Bool
        /// The time since the source returned the cached page that could be the answer instead; `nil` if there is none.
        public let cachedAge: Duration?
    }

    /// What to do.
    public enum Decision: Sendable {
        /// Try again after the scheduler's back-off. Beyond the allowed attempts it counts as ``serveCached``.
        case retry
        /// Answer with the cached page if the policy of the fetch allows it, otherwise with the error.
        case serveCached
        /// Answer with the error, unless the policy of the fetch names its own fallback.
        case fail
    }

    private let body: @Sendable (Failure) -> Decision

    /// Retries while the failure is retryable and attempts are left, then serves the cached page.
    public static let standard = ErrorStrategy { failure in
        failure.isRetryable && failure.attempt < failure.maxAttempts ? .retry : .serveCached
    }

    /// Retries like ``standard``, then fails even if there is a cached page.
    public static let neverServeCached = ErrorStrategy { failure in
        failure.isRetryable && failure.attempt < failure.maxAttempts ? .retry : .fail
    }

    /// Creates a strategy from a closure.
    ///
    /// - Parameter decide: called on a background thread after each failed attempt, never with a lock held.
    public init(_ decide: @escaping @Sendable (Failure) -> Decision) {
        body = decide
    }

    /// Returns what to do after `failure`.
    public func decide(_ failure: Failure) -> Decision { body(failure) }
}
