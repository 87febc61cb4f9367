/// Why a data source gave no page, and what should be done about it; later versions may add advice.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SourceError: Error, Sendable, CustomStringConvertible {
    /// A passing failure: the scheduler tries again after its own back-off, and not before the delay, where the source
    /// states one, such as `Retry-After` in RFC 9110, section 10.2.3; a negative delay counts as zero.
    case retry(any Error, after: Duration? = nil)

    /// A failure that would repeat: no further attempt is made.
    case fatal(any Error)

    /// The source no longer knows the key, such as a cursor that has run out.
    case keyExpired(any Error)

    /// The error behind this one.
    public var underlying: any Error {
        switch self {
        case .retry(let error, _), .fatal(let error), .keyExpired(let error): error
        }
    }

    package var isRetryable: Bool { if case .retry = self { true } else { false } }

    package var statedDelay: Duration? {
        if case .retry(_, let delay?) = self { max(.zero, delay) } else { nil }
    }

    /// Whether the source no longer knows the key.
    public var isKeyExpired: Bool { if case .keyExpired = self { true } else { false } }

    /// The advice and the underlying error.
    public var description: String {
        switch self {
        case .retry: "\(statedDelay.map { "retryAfter(\($0))" } ?? "retry"): \(underlying)"
        case .fatal: "fatal: \(underlying)"
        case .keyExpired: "keyExpired: \(underlying)"
        }
    }
}
