/// Receives the pages of a fetch around a page: previews and the outcome of the requested page, its neighbors, one
/// completion.
///
/// All methods are called on the paginator's callback queue, one at a time. A subclass with mutable state repeats
/// `@unchecked Sendable` and names what guards the state, which may be the callback queue.
///
/// `@unchecked Sendable`: its state does not change after its creation.
open class PaginatorFetchAroundListener<T: Sendable>: @unchecked Sendable {
    /// Set by forms that show no previews when they are created.
    package final var takesPreviews = true

    /// Creates a listener that ignores everything.
    public init() {}

    /// Called with a page to show until the requested page arrives, as in
    /// ``PaginatorFetchListener/fetchDidPreview(_:)``. The default does nothing.
    ///
    /// - Parameter page: the stale page, or the first items of the new one.
    open func fetchAroundDidPreview(_ page: FetchedPage<T>) {}

    /// Called for each page: the requested one at distance 0, then neighbors at +1, -1, +2, -2 and so on. The default
    /// does nothing.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - distance: the distance from the requested page; negative before it.
    open func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) {}

    /// Called if a neighbor failed; its direction ends there. The default does nothing.
    ///
    /// - Parameters:
    ///   - error: the neighbor's error.
    ///   - distance: the distance from the requested page; negative before it.
    open func fetchAroundDidFail(_ error: PaginatorError, at distance: Int) {}

    /// Called exactly once at the end, also after a cancel. The default does nothing.
    ///
    /// - Parameter result: the pages that were delivered and failed, or the error if the requested page failed or the
    ///   call was cancelled.
    open func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {}

    /// Whether callbacks run on the main queue instead of the paginator's queue; false by default.
    open var wantsMain: Bool { false }
}

/// The result of a fetch around a page.
public struct AroundSummary: Sendable, Hashable {
    /// The distances of the delivered pages, in order; the requested page is 0.
    public var delivered: [Int]

    /// The errors of neighbors by distance; at most one in each direction.
    public var failures: [Int: PaginatorError]

    /// The repeated keys that ended a direction, by the distance of the page that named them.
    public var repeatedKeys: [Int: String]

    /// Creates a summary, for test doubles.
    public init(delivered: [Int] = [], failures: [Int: PaginatorError] = [:], repeatedKeys: [Int: String] = [:]) {
        self.delivered = delivered
        self.failures = failures
        self.repeatedKeys = repeatedKeys
    }
}
