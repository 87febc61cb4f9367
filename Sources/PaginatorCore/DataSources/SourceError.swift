/// The error of a data source, which decides what happens next. Later versions may add cases.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SourceError: Error, Sendable, CustomStringConvertible {
    /// A temporary failure: the scheduler tries again after its back-off, but not before the delay, if the source
    /// states one, such as `Retry-After` (RFC 9110, section 10.2.3). A negative delay counts as zero.
    case retry(any Error, after: Duration? = nil)

    /// A permanent failure: no further attempt is made.
    case fatal(any Error)

    /// The source no longer knows the key, such as an expired cursor.
    case keyExpired(any Error)

    /// The underlying error.
    public var underlying: any Error {
        switch self {
        case .retry(let error, _): (error as? SourceNotCalled)?.cause ?? error
        case .fatal(let error), .keyExpired(let error): error
        }
    }

    package var isRetryable: Bool { if case .retry = self { true } else { false } }

    package var statedDelay: Duration? {
        if case .retry(_, let delay?) = self { max(.zero, delay) } else { nil }
    }

    /// Whether the source no longer knows the key.
    public var isKeyExpired: Bool { if case .keyExpired = self { true } else { false } }

    /// The case and the underlying error.
    public var description: String {
        switch self {
        case .retry: "\(statedDelay.map { "retryAfter(\($0))" } ?? "retry"): \(underlying)"
        case .fatal: "fatal: \(underlying)"
        case .keyExpired: "keyExpired: \(underlying)"
        }
    }
}
