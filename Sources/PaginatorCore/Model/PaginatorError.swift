/// Why a fetch, or a call of the store, did not give what was asked.
///
/// ``message`` is for people and may contain keys; ``metricsLabel`` is free of user data; what an alert shows is the
/// `localizedDescription`, which is one sentence for each code.
///
/// Two errors are equal whose codes, messages and attempts are, and whose underlying errors have the same type: such an
/// error need not be `Equatable`, and no code of its type runs to compare it.
public struct PaginatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. Later versions may add codes: switch over it with a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: String, Sendable {
        /// The key is empty, too long, contains a NUL, or is refused by the configured key rule.
        case invalidKey
        /// The page size lies outside its limits.
        case invalidPageSize
        /// The depth of a fetch around a page lies outside its limits.
        case invalidDepth
        /// The source no longer accepts the key; start again from its first key.
        case expiredKey
        /// The source failed; ``PaginatorError/underlying`` tells how.
        case sourceFailed
        /// No answer came in time.
        case timedOut
        /// A validator refused the page.
        case rejectedByValidation
        /// A page names a neighbor that came before, so that the pages would go round for ever.
        case repeatedKey
        /// The caller cancelled the fetch.
        case cancelled
        /// A later fetch with the same debounce key took this one's place.
        case superseded
        /// Only the cache was asked, and the page is not in it.
        case notInCache
        /// There is no connection, and nothing cached to answer with.
        case offline
        /// A weak link, low power or the background speak for loading less, and nobody looks at the page yet; ask again when
        /// it is wanted, or when the conditions are better.
        case heldBack
        /// The source has been failing, or wants to be left alone for longer than the fetch may take, so the attempt was
        /// not made.
        case throttled
        /// The paginator was released or shut down.
        case released
        /// The disk store failed; it never fails a fetch, and is only reported.
        case storeFailed
        /// The saved place in a list is damaged, or belongs to another list.
        case invalidBookmark
    }

    /// What went wrong.
    public var code: Code { details.code }

    /// A sentence for people, with the values that matter.
    public var message: String { details.message }

    /// The error of the data source, the store or the system behind this one, where there is one.
    public var underlying: (any Error)? { details.underlying }

    /// How many times the source was asked; zero when it was not.
    public var attempts: Int { details.attempts }

    // One reference, since everything that can fail has room for an error, and is copied more often than it fails.
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
            // It is the user's, and may end while a lock is held.
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

    /// Makes an error, for data sources, stores, doubles and tests; fetches make their own.
    ///
    /// - Parameters:
    ///   - code: what went wrong.
    ///   - message: a sentence for people.
    ///   - underlying: the error behind this one.
    ///   - attempts: how many times the source was asked; negative values count as zero.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil, attempts: Int = 0) {
        details = Details(code, message, underlying, max(0, attempts))
    }

    /// A short text without user data: the code, and the type of the underlying error.
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
