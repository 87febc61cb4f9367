import Dispatch

// Short forms with closures, each also for the main actor: a `@Sendable` closure cannot use main-actor state.
extension Paginator {
    /// Fetches one page and answers once.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items to request.
    ///   - scope: distinguishes pages with the same key, such as those of two users.
    ///   - priority: the load's priority.
    ///   - policy: where to take the page from; `nil` uses the configuration. Previews are left out.
    ///   - timeout: the time to wait for an answer; `nil` uses the configuration.
    ///   - debounce: the debounce key; `nil`, the default, does not debounce.
    ///   - part: how much of the page is enough; `nil`, the default, for all of it.
    ///   - completion: called with the page or the error on the paginator's callback queue.
    /// - Returns: the execution; cancel it to cancel the fetch.
    @discardableResult
    public func fetch(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil,
        timeout: Duration? = nil,
        debounce: DebounceKey? = nil,
        part: PagePart? = nil,
        completion: @escaping @Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void
    ) -> PaginatorExecution {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy,
            timeout: timeout, debounce: debounce, part: part)
        return fetch(request, listener: ClosureFetchListener(onMain: false, completion))
    }

    /// Fetches one page and answers once on the main actor; otherwise like the form above.
    ///
    /// `completion` is called with the page or the error on the main queue, in order with the paginator's other
    /// callbacks.
    @discardableResult
    public func fetch(
        key: String,
        pageSize: Int,
        scope: String = "",
        priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil,
        timeout: Duration? = nil,
        debounce: DebounceKey? = nil,
        part: PagePart? = nil,
        onMain completion: @escaping @MainActor @Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void
    ) -> PaginatorExecution {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy,
            timeout: timeout, debounce: debounce, part: part)
        let listener = ClosureFetchListener<T>(onMain: true) { result in MainQueue.run { completion(result) } }
        return fetch(request, listener: listener)
    }

    /// Fetches a page and then its neighbors.
    ///
    /// - Parameters:
    ///   - key: the requested page's key.
    ///   - pageSize: the number of items to request per page.
    ///   - depthLevel: the number of pages to load on each side, at least 0.
    ///   - direction: the sides to load.
    ///   - keyPriority: the requested page's priority.
    ///   - aroundPriority: the neighbors' priority.
    ///   - onPage: called with each page and its distance from the requested one, on the paginator's callback queue.
    ///   - completion: called once with the summary or the error, on the paginator's callback queue.
    /// - Returns: the execution; cancel it to cancel what has not arrived.
    @discardableResult
    public func fetchAround(
        key: String, pageSize: Int, depthLevel: Int, direction: PageFetchDirection = .all,
        keyPriority: FetchPriority = .medium, aroundPriority: FetchPriority = .low,
        onPage: @escaping @Sendable (_ page: FetchedPage<T>, _ distance: Int) -> Void,
        completion: @escaping @Sendable (Result<AroundSummary, PaginatorError>) -> Void
    ) -> PaginatorExecution {
        let listener = ClosureAroundListener(onMain: false, onPage: onPage, completion: completion)
        return fetchAround(
            key: key, pageSize: pageSize, depthLevel: depthLevel, direction: direction, listener: listener,
            keyPriority: keyPriority, aroundPriority: aroundPriority)
    }

    /// Fetches a page and then its neighbors, and answers on the main actor; otherwise like the form above.
    ///
    /// `onMainPage` is called with each page and its distance from the requested one, and `completion` with the summary
    /// or the error, both on the main queue.
    @discardableResult
    public func fetchAround(
        key: String, pageSize: Int, depthLevel: Int, direction: PageFetchDirection = .all,
        keyPriority: FetchPriority = .medium, aroundPriority: FetchPriority = .low,
        onMainPage: @escaping @MainActor @Sendable (_ page: FetchedPage<T>, _ distance: Int) -> Void,
        completion: @escaping @MainActor @Sendable (Result<AroundSummary, PaginatorError>) -> Void
    ) -> PaginatorExecution {
        let listener = ClosureAroundListener<T>(onMain: true) { page, distance in
            MainQueue.run { onMainPage(page, distance) }
        } completion: { result in
            MainQueue.run { completion(result) }
        }
        return fetchAround(
            key: key, pageSize: pageSize, depthLevel: depthLevel, direction: direction, listener: listener,
            keyPriority: keyPriority, aroundPriority: aroundPriority)
    }
}

/// `@unchecked Sendable`: its state never changes.
private final class ClosureFetchListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let onMain: Bool
    private let completion: @Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void

    init(onMain: Bool, _ completion: @escaping @Sendable (Result<FetchedPage<T>, PaginatorError>) -> Void) {
        self.onMain = onMain
        self.completion = completion
        super.init()
        takesPreviews = false
    }

    override var wantsMain: Bool { onMain }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) { completion(result) }
}

/// `@unchecked Sendable`: its state never changes.
private final class ClosureAroundListener<T: Sendable>: PaginatorFetchAroundListener<T>, @unchecked Sendable {
    private let onMain: Bool
    private let onPage: @Sendable (FetchedPage<T>, Int) -> Void
    private let completion: @Sendable (Result<AroundSummary, PaginatorError>) -> Void

    init(
        onMain: Bool, onPage: @escaping @Sendable (FetchedPage<T>, Int) -> Void,
        completion: @escaping @Sendable (Result<AroundSummary, PaginatorError>) -> Void
    ) {
        self.onMain = onMain
        self.onPage = onPage
        self.completion = completion
        super.init()
        takesPreviews = false
    }

    override var wantsMain: Bool { onMain }

    override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) { onPage(page, distance) }

    override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) { completion(result) }
}

enum MainQueue {
    private static let isMain: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    // Runs `body` now if this is the main queue, where `CallbackPaginator` calls it; otherwise later, for a paginator
    // that ignores `wantsMain`.
    static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if DispatchQueue.getSpecific(key: isMain) == true {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async(execute: body)
        }
    }
}
