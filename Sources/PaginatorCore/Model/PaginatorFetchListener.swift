/// Receives the pages of a fetch: any number of previews, then exactly one answer.
///
/// Subclass it, or use a form of fetch with a closure. All methods are called on the paginator's callback queue, one at
/// a time. A subclass with mutable state repeats `@unchecked Sendable` and names what guards the state, which may be
/// the callback queue.
///
/// `@unchecked Sendable`: its state does not change after its creation.
open class PaginatorFetchListener<T: Sendable>: @unchecked Sendable {
    /// Set by forms with one answer when they are created, since they show no previews.
    package final var takesPreviews = true

    /// Creates a listener that ignores everything.
    public init() {}

    /// Called with a page to show while the fetch continues. The default does nothing.
    ///
    /// It is a stale page, only under ``FetchPolicy/staleWhileRevalidate``, or under any policy the first items of the
    /// page that is being loaded, with more items each time. ``FetchedPage/isPartial`` is true for the latter.
    ///
    /// - Parameter page: the stale page, or the first items of the new one.
    open func fetchDidPreview(_ page: FetchedPage<T>) {}

    /// Called exactly once with the answer, also after a cancel. The default does nothing.
    ///
    /// - Parameter result: the page or the error.
    open func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {}

    /// Whether callbacks run on the main queue instead of the paginator's queue; false by default.
    open var wantsMain: Bool { false }
}
