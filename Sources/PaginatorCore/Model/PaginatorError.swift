/// The error of a fetch, or of a call of the store.
///
/// ``message`` is for developers and may contain keys. ``metricsLabel`` contains no user data. `localizedDescription`
/// is a sentence for an alert, the same for all errors with a code.
///
/// Two errors are equal if their codes, messages and attempts are, and if their underlying errors have the same type.
/// The underlying errors themselves are not compared, since they need not be `Equatable`.
public struct PaginatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. Later versions may add codes: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: String, Sendable {
        /// The key is empty, too long, contains a NUL, or is refused by the configured key rule.
        case invalidKey
        /// The page size is outside its limits.
        case invalidPageSize
        /// The depth of a fetch around a page is outside its limits.
        case invalidDepth
        /// The source no longer accepts the key. Start again from its first key.
        case expiredKey
        /// The source failed; see ``PaginatorError/underlying``.
        case sourceFailed
        /// There was no answer in time.
        case timedOut
        /// A validator rejected the page.
        case rejectedByValidation
        /// A page names a neighbor that already appeared, so following it would be a cycle.
        case repeatedKey
        /// The caller cancelled the fetch.
        case cancelled
        /// A later fetch with the same debounce key replaced this one.
        case superseded
        /// The policy allows only the caches, and they do not have the page.
        case notInCache
        /// There is no connection, and no cached page to answer with.
        case offline
        /// A weak link, low power or the background hold back a page that no user waits for. Request it again when it
        /// is needed, or when conditions are better.
        case heldBack
        /// The attempt was not made, because the source has been failing, or asked for a pause that is longer than the
        /// fetch may take.
        case throttled
        /// The paginator was released or shut down.
        case released
        /// The disk store failed. Never fails a fetch; a flush, a shutdown, or a clear that waits for the store fails
        /// with it.
        case storeFailed
        /// The bookmark is damaged, or belongs to another list.
        case invalidBookmark
    }

    /// The kind of error.
    public var code: Code { details.code }

    /// A sentence for developers, with the relevant values.
    public var message: String { details.message }

    /// The error of the data source, the store or the system, if there is one.
    public var underlying: (any Error)? { details.underlying }

    /// The number of attempts made.
    public var attempts: Int { details.attempts }

    // A class, because errors are part of many values, and are copied far more often than they occur.
    private let details: Details

    private final class Details: Sendable, Hashable {
        let code: Code
        let message: String
        let underlying: (any Error)?
        let attempts: Int

        init(_ code: Code, _ message: String, _ underlying: (any Error)?, _ attempts: Int) {
            self.code = code
            self.message = message
            self.underlying = underlying
            self.attempts = attempts
        }

        deinit {
            // It is the user's object, and may be released under a lock.
            if let underlying { DeferredRelease.keep(underlying) }
        }

        static func == (left: Details, right: Details) -> Bool {
            if left === right { return true }
            guard left.code == right.code, left.attempts == right.attempts, left.message == right.message else {
                return false
            }
            guard let one = left.underlying, let other = right.underlying else {
                return left.underlying == nil && right.underlying == nil
            }
            return type(of: one) == type(of: other)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(code)
            hasher.combine(message)
            hasher.combine(attempts)
        }
    }

    /// Creates an error, for data sources, stores and test doubles; fetches make their own.
    ///
    /// - Parameters:
    ///   - code: the kind of error.
    ///   - message: a sentence for developers.
    ///   - underlying: the underlying error.
    ///   - attempts: the number of attempts made; negative values count as zero.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil, attempts: Int = 0) {
        details = Details(code, message, underlying, max(0, attempts))
    }

    /// A short text without user data: the code and the type of the underlying error.
    public var metricsLabel: String {
        guard let underlying else { return code.rawValue }
        return "\(code.rawValue).\(type(of: underlying))"
    }

    /// The code, the message, the attempts and the underlying error.
    public var description: String {
        var text = "\(code.rawValue): \(message)"
        if attempts > 0 { text += " (attempts: \(attempts))" }
        if let underlying { text += " — \(underlying)" }
        return text
    }
}
