/// Why a fetch, or a call of the store, did not give what was asked.
///
/// ``message`` is for people and may contain keys; ``metricsLabel`` is free of user data.
public struct PaginatorError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as a value to compare with; later versions may add codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String, Sendable {
            case invalidKey, invalidPageSize, invalidDepth, expiredKey, sourceFailed, timedOut, rejectedByValidation
            case cancelled, superseded, notInCache, offline, throttled, released, storeFailed, invalidBookmark
            case repeatedKey, heldBack
        }

        private let kind: Kind

        /// The key is empty, too long, contains a NUL, or is refused by the configured key rule.
        public static let invalidKey = Code(kind: .invalidKey)
        /// The page size lies outside its limits.
        public static let invalidPageSize = Code(kind: .invalidPageSize)
        /// The depth of a fetch around a page lies outside its limits.
        public static let invalidDepth = Code(kind: .invalidDepth)
        /// The source no longer accepts the key; start again from its first key.
        public static let expiredKey = Code(kind: .expiredKey)
        /// The source failed; ``PaginatorError/underlying`` tells how.
        public static let sourceFailed = Code(kind: .sourceFailed)
        /// No answer came in time.
        public static let timedOut = Code(kind: .timedOut)
        /// A validator refused the page.
        public static let rejectedByValidation = Code(kind: .rejectedByValidation)
        /// A page names a neighbor that came before, so that the pages would go round for ever.
        public static let repeatedKey = Code(kind: .repeatedKey)
        /// The caller cancelled the fetch.
        public static let cancelled = Code(kind: .cancelled)
        /// A later fetch with the same debounce key took this one's place.
        public static let superseded = Code(kind: .superseded)
        /// Only the cache was asked, and the page is not in it.
        public static let notInCache = Code(kind: .notInCache)
        /// There is no connection, and nothing cached to answer with.
        public static let offline = Code(kind: .offline)
        /// A weak link, low power or the background speak for loading less, and nobody looks at the page yet; ask again when
        /// it is wanted, or when the conditions are better.
        public static let heldBack = Code(kind: .heldBack)
        /// The source has been failing, or wants to be left alone for longer than the fetch may take, so the attempt was
        /// not made.
        public static let throttled = Code(kind: .throttled)
        /// The paginator was released or shut down.
        public static let released = Code(kind: .released)
        /// The disk store failed; it never fails a fetch, and is only reported.
        public static let storeFailed = Code(kind: .storeFailed)
        /// The saved place in a list is damaged, or belongs to another list.
        public static let invalidBookmark = Code(kind: .invalidBookmark)

        /// A short, constant name, the same as the static member's.
        public var description: String { kind.rawValue }
    }

    /// What went wrong.
    public let code: Code

    /// A sentence for people, with the values that matter.
    public let message: String

    /// The error of the data source, the store or the system behind this one, where there is one.
    public var underlying: (any Error)? { cause?.error }

    /// How many times the source was asked; zero when it was not.
    public let attempts: Int

    /// The user's error, which may end while a lock is held.
    private final class Cause: Sendable {
        let error: any Error

        init(_ error: any Error) {
            self.error = error
        }

        deinit {
            DeferredRelease.keep(error)
        }
    }

    private let cause: Cause?

    /// Makes an error, for data sources, stores, doubles and tests; fetches make their own.
    ///
    /// - Parameters:
    ///   - code: what went wrong.
    ///   - message: a sentence for people.
    ///   - underlying: the error behind this one.
    ///   - attempts: how many times the source was asked; negative values count as zero.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil, attempts: Int = 0) {
        self.code = code
        self.message = message
        cause = underlying.map(Cause.init)
        self.attempts = max(0, attempts)
    }

    /// A short text without user data: the code, and the type of the underlying error.
    public var metricsLabel: String {
        guard let underlying else { return code.description }
        return "\(code).\(type(of: underlying))"
    }

    /// The code, the message, the attempts and the underlying error.
    public var description: String {
        var text = "\(code): \(message)"
        if attempts > 0 { text += " (attempts: \(attempts))" }
        if let underlying { text += " — \(underlying)" }
        return text
    }
}
