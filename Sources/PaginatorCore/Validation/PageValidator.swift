#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Judges pages: a fetched one before it is cached, a cached one before it is used.
///
/// A paginator calls it on any thread without a lock. Implement ``judge(_:in:)``, and
/// ``judgeFetched(_:in:completion:)`` if the judgement takes time, such as a signature check.
public protocol PageValidator<T>: Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Judges a page synchronously. For pages in memory it runs on the caller's thread, so it should be fast; for those
    /// of neighbors and prefetches it runs on a thread of the library.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: the page's origin and age.
    func judge(_ page: PaginatorPage<T>, in context: ValidationContext) -> PageVerdict

    /// Judges a fetched page and answers once, on any thread, within the attempt's timeout.
    ///
    /// The default answers with ``judge(_:in:)``.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: the page's origin.
    ///   - completion: takes the verdict; later answers are ignored.
    func judgeFetched(
        _ page: PaginatorPage<T>, in context: ValidationContext, completion: @escaping @Sendable (PageVerdict) -> Void
    )
}

extension PageValidator {
    /// Answers with ``judge(_:in:)``.
    public func judgeFetched(
        _ page: PaginatorPage<T>, in context: ValidationContext, completion: @escaping @Sendable (PageVerdict) -> Void
    ) {
        completion(judge(page, in: context))
    }
}

/// The information for a validator in addition to the page.
public struct ValidationContext: Sendable {
    /// The identity under which the page is cached.
    public let identity: PageIdentity
    /// Where the page comes from.
    public let origin: PageOrigin
    /// The time since the page was requested from the source; zero for one just fetched.
    public let age: Duration
    /// Whether the page has expired or was invalidated.
    public let isStale: Bool
    /// The wall-clock time.
    public let wallTime: Date

    /// Creates a context, for tests of validators; paginators make their own.
    public init(identity: PageIdentity, origin: PageOrigin, age: Duration, isStale: Bool, wallTime: Date) {
        self.identity = identity
        self.origin = origin
        self.age = age
        self.isStale = isStale
        self.wallTime = wallTime
    }
}
