/// Where a fetch takes its page from, for fetches that can show a preview before their answer.
///
/// A listener accepts every policy. Forms with one answer take a ``SingleAnswerPolicy``.
public struct FetchPolicy: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case cacheFirst
        case cacheOnly
        case networkOnly
        case networkFirst(fallbackAfter: Duration?)
        case staleWhileRevalidate
    }

    let kind: Kind

    /// A fresh cached page, else the source; a stale page serves as fallback where the error strategy says so.
    public static let cacheFirst = FetchPolicy(kind: .cacheFirst)

    /// A cached page, fresh or stale, else the error ``PaginatorError/Code/notInCache``; the source is never asked.
    public static let cacheOnly = FetchPolicy(kind: .cacheOnly)

    /// The source; no cached page is used. The answer is cached.
    public static let networkOnly = FetchPolicy(kind: .networkOnly)

    /// The source, with a cached page, fresh or stale, as fallback after a failure.
    public static let networkFirst = networkFirst(fallbackAfter: nil)

    /// The source, with a cached page, fresh or stale, as fallback after a failure or after some time.
    ///
    /// - Parameter fallbackAfter: how long to wait for the source while there is a cached page; `nil` waits until it
    ///   fails. The load goes on after the fallback, so that the cache is renewed.
    public static func networkFirst(fallbackAfter: Duration?) -> FetchPolicy {
        FetchPolicy(kind: .networkFirst(fallbackAfter: fallbackAfter))
    }

    /// A fresh cached page is the answer. A stale one comes as a preview while the source is asked; the answer is then
    /// the source's page, or the stale page with the refresh error.
    public static let staleWhileRevalidate = FetchPolicy(kind: .staleWhileRevalidate)

    /// The same policy as `single`, for a request that takes any.
    public init(_ single: SingleAnswerPolicy) {
        self = single.policy
    }

    private init(kind: Kind) {
        self.kind = kind
    }
}

/// Where a fetch with exactly one answer takes its page from: every ``FetchPolicy`` but the one with previews.
public struct SingleAnswerPolicy: Sendable, Hashable {
    fileprivate let policy: FetchPolicy

    /// See ``FetchPolicy/cacheFirst``.
    public static let cacheFirst = SingleAnswerPolicy(policy: .cacheFirst)

    /// See ``FetchPolicy/cacheOnly``.
    public static let cacheOnly = SingleAnswerPolicy(policy: .cacheOnly)

    /// See ``FetchPolicy/networkOnly``.
    public static let networkOnly = SingleAnswerPolicy(policy: .networkOnly)

    /// See ``FetchPolicy/networkFirst-swift.type.property``.
    public static let networkFirst = SingleAnswerPolicy(policy: .networkFirst)

    /// See ``FetchPolicy/networkFirst(fallbackAfter:)``.
    ///
    /// - Parameter fallbackAfter: how long to wait for the source while there is a cached page.
    public static func networkFirst(fallbackAfter: Duration?) -> SingleAnswerPolicy {
        SingleAnswerPolicy(policy: .networkFirst(fallbackAfter: fallbackAfter))
    }
}
