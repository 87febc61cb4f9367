/// Fetches pages by key, with a cache in front of the source.
///
/// ``CallbackPaginator`` is the implementation; `PaginatorTesting` has a scripted double. Every call may come from any
/// thread, also from inside a callback, and returns at once. No callback runs inside a call.
public protocol Paginator<T>: AnyObject, Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// Fetches one page.
    ///
    /// - Parameters:
    ///   - request: the page, and how to fetch it.
    ///   - listener: takes the previews and the one terminal answer, on the paginator's callback queue. It is kept
    ///     until that answer.
    /// - Returns: the execution, by which the fetch can be cancelled; dropping it does not cancel.
    @discardableResult
    func fetch(_ request: PageRequest, listener: PaginatorFetchListener<T>) -> PaginatorExecution

    /// Fetches a page and then its neighbors, nearest first, forward before backward.
    ///
    /// The asked page's outcome comes first. A neighbor that fails ends its own direction only. One that is not cached fails
    /// at once, with ``PaginatorError/Code/heldBack``, under conditions that speak for loading less, and with
    /// ``PaginatorError/Code/offline`` without a connection; one whose key no request may have fails with
    /// ``PaginatorError/Code/invalidKey``, and is not asked for.
    ///
    /// - Parameters:
    ///   - request: the page, how far to go around it and how urgently.
    ///   - listener: takes the pages and the one completion, on the paginator's callback queue.
    /// - Returns: the execution, by which everything that has not come yet can be cancelled.
    @discardableResult
    func fetchAround(_ request: AroundRequest, listener: PaginatorFetchAroundListener<T>) -> PaginatorExecution

    /// Removes the pages of a key, in every size and every scope, from memory and from the store.
    ///
    /// When it returns, memory no longer has them. Loads that are running still answer those who wait for them, but
    /// their pages are not cached, and later callers start a new load.
    ///
    /// - Parameter key: the pages' key.
    func clear(key: String)
}

extension Paginator {
    /// Fetches one page: the short form of ``fetch(_:listener:)``.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: how many items to ask for.
    ///   - listener: takes the previews and the one terminal answer, on the paginator's callback queue.
    ///   - priority: how urgent the load is.
    /// - Returns: the execution, by which the fetch can be cancelled.
    @discardableResult
    public func fetch(
        key: String,
        pageSize: Int,
        listener: PaginatorFetchListener<T>,
        priority: FetchPriority = .medium
    ) -> PaginatorExecution {
        fetch(PageRequest(key: key, pageSize: pageSize, priority: priority), listener: listener)
    }

    /// Fetches a page and then its neighbors: the short form of ``fetchAround(_:listener:)``.
    ///
    /// - Parameters:
    ///   - key: the key of the page in the middle.
    ///   - pageSize: how many items to ask for, per page.
    ///   - depthLevel: how many pages to load on each side, at least 0.
    ///   - direction: which sides to load.
    ///   - listener: takes the pages and the one completion, on the paginator's callback queue.
    ///   - keyPriority: how urgent the page in the middle is.
    ///   - aroundPriority: how urgent the neighbors are.
    /// - Returns: the execution, by which everything that has not come yet can be cancelled.
    @discardableResult
    public func fetchAround(
        key: String,
        pageSize: Int,
        depthLevel: Int,
        direction: PageFetchDirection = .all,
        listener: PaginatorFetchAroundListener<T>,
        keyPriority: FetchPriority = .medium,
        aroundPriority: FetchPriority = .low
    ) -> PaginatorExecution {
        let page = PageRequest(key: key, pageSize: pageSize, priority: keyPriority)
        let request = AroundRequest(
            page: page, depthLevel: depthLevel, direction: direction, aroundPriority: aroundPriority)
        return fetchAround(request, listener: listener)
    }
}
