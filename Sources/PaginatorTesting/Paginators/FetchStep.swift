public import PaginatorCore

/// What a ``ScriptedPaginator`` delivers for one fetch of a page, and when.
public struct FetchStep<T: Sendable>: Sendable {
    var previews: [FetchedPage<T>] = []
    var end: Result<FetchedPage<T>, PaginatorError>?
    var delay: Duration?

    /// Answers with a page.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - origin: the origin that the answer names; the source by default.
    ///   - isStale: whether the answer says that the page is stale; false by default.
    public static func page(
        _ page: PaginatorPage<T>, from origin: PageOrigin = .source, isStale: Bool = false
    ) -> FetchStep {
        FetchStep(end: .success(FetchedPage(page: page, origin: origin, isStale: isStale)))
    }

    /// Answers with an error.
    public static func fail(_ error: PaginatorError) -> FetchStep {
        FetchStep(end: .failure(error))
    }

    /// Never answers; the fetch stays pending until it is cancelled.
    public static var hang: FetchStep { FetchStep() }

    /// Returns the step with a preview before its answer: a stale page from memory.
    public func previewing(_ page: PaginatorPage<T>) -> FetchStep {
        var step = self
        step.previews.append(FetchedPage(page: page, origin: .memory, isStale: true))
        return step
    }

    /// Returns the step with a later answer; previews come at once.
    ///
    /// - Parameter delay: how much later, on the paginator's clock; ignored in a fetch around a page.
    public func after(_ delay: Duration) -> FetchStep {
        var step = self
        step.delay = max(.zero, delay)
        return step
    }
}

/// One call of a ``ScriptedPaginator``.
public enum PaginatorCall: Sendable, Hashable {
    /// A page was fetched.
    case fetch(PageRequest)
    /// A page and its neighbors were fetched.
    case fetchAround(AroundRequest)
    /// The pages of a key were removed.
    case clear(key: String)
}
