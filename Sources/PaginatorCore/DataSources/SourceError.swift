/// Why a data source gave no page, and what should be done about it.
public struct SourceError: Error, Sendable, CustomStringConvertible {
    enum Advice: Sendable, Hashable {
        case retry
        case retryAfter(Duration)
        case fatal
        case keyExpired
    }

    let advice: Advice

    /// The error behind this one.
    public let underlying: any Error

    /// A passing failure: the scheduler tries again after its own back-off.
    ///
    /// - Parameters:
    ///   - error: what went wrong.
    ///   - delay: the least time to wait, where the source says so, such as `Retry-After` in RFC 9110, section 10.2.3;
    ///     negative values count as zero. `nil`, the default, where it says nothing.
    public static func retry(_ error: any Error, after delay: Duration? = nil) -> SourceError {
        SourceError(delay.map { .retryAfter(max(.zero, $0)) } ?? .retry, error)
    }

    /// A failure that would repeat: no further attempt is made.
    ///
    /// - Parameter error: what went wrong.
    public static func fatal(_ error: any Error) -> SourceError { SourceError(.fatal, error) }

    /// The source no longer knows the key, such as a cursor that has run out.
    ///
    /// - Parameter error: what the source said.
    public static func keyExpired(_ error: any Error) -> SourceError { SourceError(.keyExpired, error) }

    private init(_ advice: Advice, _ underlying: any Error) {
        self.advice = advice
        self.underlying = underlying
    }

    /// Whether another attempt may succeed.
    public var isRetryable: Bool {
        switch advice {
        case .retry, .retryAfter: true
        case .fatal, .keyExpired: false
        }
    }

    /// The least time to wait that the source stated; `nil` when it stated none.
    public var statedDelay: Duration? {
        if case .retryAfter(let delay) = advice { delay } else { nil }
    }

    /// Whether the source no longer knows the key.
    public var isKeyExpired: Bool { advice == .keyExpired }

    /// The advice and the underlying error.
    public var description: String { "\(advice): \(underlying)" }
}
