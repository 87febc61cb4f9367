/// Takes what a fetch around a page delivers: previews and the asked page's outcome, its neighbors, one completion.
///
/// All methods are called on the paginator's callback queue, one at a time. A subclass with mutable state repeats
/// `@unchecked Sendable` and names what guards the state, which may be the callback queue.
///
/// `@unchecked Sendable`: this class has no state.
open class PaginatorFetchAroundListener<T: Sendable>: @unchecked Sendable {
    /// Makes a listener that ignores everything.
    public init() {}

    /// A stale page that can be shown in place of the asked page meanwhile. The default does nothing.
    ///
    /// - Parameter page: the stale page.
    open func fetchAroundDidPreview(_ page: FetchedPage<T>) {}

    /// A page has come: the asked one first, at distance 0, then neighbors at +1, -1, +2, -2 and so on. The default
    /// does nothing.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - distance: how far from the asked page it lies; negative before it.
    open func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) {}

    /// A neighbor has failed, and with it its direction. The default does nothing.
    ///
    /// - Parameters:
    ///   - error: why the neighbor did not come.
    ///   - distance: how far from the asked page it lies; negative before it.
    open func fetchAroundDidFail(_ error: PaginatorError, at distance: Int) {}

    /// Everything that could come has come. It comes exactly once, also after a cancel. The default does nothing.
    ///
    /// - Parameter result: what came and what failed; an error when the asked page itself failed, or the call was
    ///   cancelled.
    open func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {}

    /// Whether the callbacks come on the main queue, whatever the paginator's queue is. The default is false.
    open var wantsMain: Bool { false }
}

/// What a fetch around a page brought.
public struct AroundSummary: Sendable, Hashable {
    /// The distances of the pages that came, in the order of their delivery; the asked page is 0.
    public var delivered: [Int]

    /// The neighbors that failed, by distance; at most one in each direction.
    public var failures: [Int: PaginatorError]

    /// The directions that ended because a key came a second time, by the distance of the page that repeated it.
    public var repeatedKeys: [Int: String]

    /// Makes a summary, for doubles and tests.
    public init(delivered: [Int] = [], failures: [Int: PaginatorError] = [:], repeatedKeys: [Int: String] = [:]) {
        self.delivered = delivered
        self.failures = failures
        self.repeatedKeys = repeatedKeys
    }
}
