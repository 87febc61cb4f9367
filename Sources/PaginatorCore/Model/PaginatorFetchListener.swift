/// Takes what a fetch delivers: any number of previews, then exactly one answer, then nothing.
///
/// Subclass it, or use a form of fetch with a closure. All methods are called on the paginator's callback queue, one
/// at a time. A subclass with mutable state repeats `@unchecked Sendable` and names what guards the state, which may
/// be the callback queue.
///
/// `@unchecked Sendable`: this class has no state.
open class PaginatorFetchListener<T: Sendable>: @unchecked Sendable {
    /// Makes a listener that ignores everything.
    public init() {}

    /// A page that can be shown while the fetch goes on: a stale one, only under ``FetchPolicy/staleWhileRevalidate``, or
    /// the first items of the one that is coming, under every policy. Those come again with more items behind them, as
    /// the source brings them; ``FetchedPage/isPartial`` tells them. The default does nothing.
    ///
    /// - Parameter page: the stale page, or the beginning of the fresh one.
    open func fetchDidPreview(_ page: FetchedPage<T>) {}

    /// The answer: the page, or why there is none. It comes exactly once, also after a cancel. The default does
    /// nothing.
    ///
    /// - Parameter result: the page, or the error.
    open func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {}

    /// Whether the callbacks come on the main queue, whatever the paginator's queue is. The default is false.
    open var wantsMain: Bool { false }
}
