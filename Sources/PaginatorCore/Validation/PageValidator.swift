#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Judges pages: a fetched one before it is cached, a cached one before it is used.
///
/// A paginator calls it on any thread and never with a lock held. A judgement that takes time, such as a signature
/// check, implements ``judgeFetched(_:in:completion:)``; the others only ``judge(_:in:)``.
public protocol PageValidator<T>: Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Judges a page at once. It runs on the caller's thread for pages in memory, so it should be fast.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: where the page comes from and how old it is.
    func judge(_ page: PaginatorPage<T>, in context: ValidationContext) -> PageVerdict

    /// Judges a fetched page and answers once, on any thread, within the attempt's time-out.
    ///
    /// The default answers with ``judge(_:in:)``.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - context: where the page comes from.
    ///   - completion: takes the verdict; later answers are ignored.
    func judgeFetched(
        _ page: PaginatorPage<T>,
        in context: ValidationContext,
        completion: @escaping @Sendable (PageVerdict) -> Void
    )
}

extension PageValidator {
    /// Answers with ``judge(_:in:)``.
    public func judgeFetched(
        _ page: PaginatorPage<T>,
        in context: ValidationContext,
        completion: @escaping @Sendable (PageVerdict) -> Void
    ) {
        completion(judge(page, in: context))
    }
}

/// What a validator may know beside the page itself.
public struct ValidationContext: Sendable {
    /// The identity under which the page is cached.
    public let identity: PageIdentity
    /// Where the page comes from.
    public let origin: PageOrigin
    /// How long ago the source gave the page; zero when it just did.
    public let age: Duration
    /// Whether the page is past its expiration time or was invalidated.
    public let isStale: Bool
    /// The wall-clock time.
    public let wallTime: Date

    /// Makes a context, for tests of validators; paginators make their own.
    public init(identity: PageIdentity, origin: PageOrigin, age: Duration, isStale: Bool, wallTime: Date) {
        self.identity = identity
        self.origin = origin
        self.age = age
        self.isStale = isStale
        self.wallTime = wallTime
    }
}
