import Dispatch

// Short forms with closures. Each has a form for the main actor, because a plain `@Sendable` closure cannot touch
// main-actor state.
extension Paginator {
    /// Fetches one page and answers once.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: how many items to ask for.
    ///   - scope: separates pages with the same key, such as those of two users.
    ///   - priority: how urgent the load is.
    ///   - policy: where to take the page from; `nil` follows the configuration; its preview is left out.
    ///   - timeout: how long to wait; `nil` follows the configuration.
    ///   - debounce: the key by which the fetch is debounced; `nil`, the default, for not at all.
    ///   - part: how much of the page is enough; `nil`, the default, for all of it.
    ///   - completion: takes the page or the error, on the paginator's callback queue.
    /// - Returns: the execution, by which the fetch can be cancelled.
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

    /// Fetches one page and answers once on the main actor; otherwise as the form above.
    ///
    /// `completion` takes the page or the error on the main queue, in order with the paginator's other callbacks.
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
    ///   - key: the key of the page in the middle.
    ///   - pageSize: how many items to ask for, per page.
    ///   - depthLevel: how many pages to load on each side, at least 0.
    ///   - direction: which sides to load.
    ///   - keyPriority: how urgent the page in the middle is.
    ///   - aroundPriority: how urgent the neighbors are.
    ///   - onPage: takes each page with its distance from the asked one, on the paginator's callback queue.
    ///   - completion: takes what came and what failed, on the paginator's callback queue.
    /// - Returns: the execution, by which everything that has not come yet can be cancelled.
    @discardableResult
    public func fetchAround(
        key: String,
        pageSize: Int,
        depthLevel: Int,
        direction: PageFetchDirection = .all,
        keyPriority: FetchPriority = .medium,
        aroundPriority: FetchPriority = .low,
        onPage: @escaping @Sendable (_ page: FetchedPage<T>, _ distance: Int) -> Void,
        completion: @escaping @Sendable (Result<AroundSummary, PaginatorError>) -> Void
    ) -> PaginatorExecution {
        let listener = ClosureAroundListener(onMain: false, onPage: onPage, completion: completion)
        return fetchAround(
            key: key, pageSize: pageSize, depthLevel: depthLevel, direction: direction, listener: listener,
            keyPriority: keyPriority, aroundPriority: aroundPriority)
    }

    /// Fetches a page and then its neighbors, and answers on the main actor; otherwise as the form above.
    ///
    /// `onMainPage` takes each page with its distance from the asked one, and `completion` what came and what failed, both
    /// on the main queue.
    @discardableResult
    public func fetchAround(
        key: String,
        pageSize: Int,
        depthLevel: Int,
        direction: PageFetchDirection = .all,
        keyPriority: FetchPriority = .medium,
        aroundPriority: FetchPriority = .low,
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
    }

    override var wantsMain: Bool { onMain }

    override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) { onPage(page, distance) }

    override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) { completion(result) }
}

enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    // Runs `body` now when the caller is on the main queue, as `CallbackPaginator` is; else later, for a paginator of
    // somebody else's that does not heed `wantsMain`.
    static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if DispatchQueue.getSpecific(key: mark) == true {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async(execute: body)
        }
    }
}
