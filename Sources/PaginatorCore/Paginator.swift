/// Fetches pages by key, with a cache in front of the source: what a screen's code is given.
///
/// ``CallbackPaginator`` is the implementation; `PaginatorTesting` has a double that takes a script, records calls, and reports
/// those that a test does not expect. Every call may come from any thread, also from inside a callback, and returns at once.
/// No callback runs inside a call.
///
/// A type that wraps a paginator returns that one's ``base``, relays the first three calls, and of the others implements
/// those that it changes; what it leaves out, and every list, goes to ``base``.
public protocol Paginator<T>: AnyObject, Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// The paginator that has the pages, and from which lists load: this one, or the one that it stands in front of.
    var base: CallbackPaginator<T> { get }

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

    /// Loads a page again and replaces the cached one; the cached page stays until the new one has arrived.
    ///
    /// A load that has already asked the source still answers those who wait for it, but its page is not cached. One
    /// that has not asked yet is joined.
    ///
    /// - Parameters:
    ///   - request: the page; its policy and debounce key have no effect.
    ///   - listener: takes the answer; `nil` for nobody.
    /// - Returns: the execution, by which the refresh can be cancelled.
    @discardableResult
    func refresh(_ request: PageRequest, listener: PaginatorFetchListener<T>?) -> PaginatorExecution

    /// Loads pages into the caches, or those that follow a page, and tells at the end what came.
    ///
    /// ```swift
    /// var request = PrefetchRequest(from: posts.firstKey, pages: 20, pageSize: 30)
    /// request.allows = .background
    /// let work = paginator.prefetch(request) { summary in
    ///     // What came is cached; a flush makes it durable, before the system stops the app.
    ///     paginator.flush { _ in print("\(summary.loaded.count) pages came, \(summary.failed.count) failed") }
    /// }
    /// // When the system takes the time away:
    /// work.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - request: the pages, the conditions and the limits.
    ///   - completion: takes what came, what was fresh and what failed, once, on the paginator's callback queue: also after a
    ///     cancel, a time-out or the paginator's release. What came and may be kept is cached by then; a flush makes it durable.
    /// - Returns: the execution. Cancelling it stops the loads that nobody else waits for, and leads to the completion.
    @discardableResult
    func prefetch(
        _ request: PrefetchRequest, completion: @escaping @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution

    /// Removes pages from memory and from the store.
    ///
    /// When it returns, memory no longer has them. Loads that are running still answer those who wait for them, but
    /// their pages are not cached, and later callers start a new load. Complexity: O(pages in memory + running loads); for
    /// one identity O(1 + running loads).
    ///
    /// - Parameters:
    ///   - selection: the pages.
    ///   - completion: called on any thread when the store no longer has them either, or with what went wrong; at the latest
    ///     after ``PaginatorConfig/storeTimeout``. `nil` for nobody.
    func clear(_ selection: PageSelection, completion: (@Sendable (Result<Void, PaginatorError>) -> Void)?)

    /// Marks pages stale, which stay readable and are renewed when they are asked for next.
    ///
    /// Loads that are running still answer those who wait for them, but their pages are not cached. Complexity: that of
    /// ``clear(_:completion:)``.
    ///
    /// - Parameter selection: the pages.
    func invalidate(_ selection: PageSelection)

    /// Marks the pages stale that have one of the tags, in memory and in the store; see ``invalidate(_:)``.
    ///
    /// ```swift
    /// let source = AsyncDataSource<Post>(firstKey: "0") { request in
    ///     let answer = try await api.posts(offset: request.key, limit: request.pageSize)
    ///     return PaginatorPage(content: answer.posts, key: request.key, nextKey: answer.next, tags: ["posts"])
    /// }
    /// let posts = CallbackPaginator(dataSource: source)
    /// // After a write:
    /// posts.invalidate(tags: ["posts"])
    /// ```
    ///
    /// A load that is running still delivers its page, which is cached as stale if it has one of the tags; later fetches
    /// wait for a newer one. A tag that no page has changes nothing. Complexity: O(tags · (pages in
    /// memory + running loads)).
    ///
    /// - Parameter tags: the tags, compared by their UTF-8 bytes.
    func invalidate(tags: [String])

    /// Puts a page into the caches that came by another way: a push, a bundled file.
    ///
    /// A running load of the page still answers those who wait for it, but its page is not cached. Complexity: O(1), and what
    /// the validator takes.
    ///
    /// - Parameters:
    ///   - page: the page; it is cached by its own key.
    ///   - pageSize: the number of items by which it will be asked for.
    ///   - scope: separates pages with the same key, such as those of two users.
    /// - Throws: ``PaginatorError`` with ``PaginatorError/Code/invalidKey`` or ``PaginatorError/Code/invalidPageSize``
    ///   for a bad identity or tag, and ``PaginatorError/Code/rejectedByValidation`` when the validator does not accept the
    ///   page.
    func prime(_ page: PaginatorPage<T>, pageSize: Int, scope: String) throws(PaginatorError)

    /// Returns the page in memory, fresh or stale, without counting it as a use. Complexity: O(1).
    ///
    /// Neither the store nor the source is asked, nothing is loaded, and no validator is.
    ///
    /// - Parameter identity: the page.
    func peek(_ identity: PageIdentity) -> FetchedPage<T>?

    /// Returns the state of a page as a screen shows it; `nil` when nothing is known of it. Complexity: O(1).
    ///
    /// - Parameter identity: the page.
    func state(of identity: PageIdentity) -> PaginatorPageResult<T>?

    /// Calls `onChange` with a page's state: once soon, and then after each change that memory or a load makes to it.
    ///
    /// Changes that come in quick succession may be told as one, with the latest state.
    ///
    /// - Parameters:
    ///   - identity: the page.
    ///   - onChange: takes the state, on the callback queue; `nil` when nothing is known of the page any more.
    /// - Returns: the observation. It ends when it is cancelled, or with the paginator; dropping it does not end it.
    @discardableResult
    func observe(
        _ identity: PageIdentity, onChange: @escaping @Sendable (PaginatorPageResult<T>?) -> Void
    ) -> PaginatorExecution
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

    /// Loads pages into the caches though nobody waits for them yet; those that are cached fresh are left alone.
    ///
    /// It waits for better conditions, however long they last: until it is cancelled, cleared, or one of the oldest of more
    /// than 4,096 that wait. Nobody is told how it ends; see ``prefetch(_:completion:)``.
    ///
    /// - Parameters:
    ///   - keys: the pages' keys; bad ones are left out.
    ///   - pageSize: how many items to ask for.
    ///   - scope: separates pages with the same key, such as those of two users.
    ///   - priority: how urgent the loads are, low by default. A prefetch never takes the last free slot.
    /// - Returns: the execution, by which what is still loading can be cancelled.
    @discardableResult
    public func prefetch(
        keys: [String], pageSize: Int, scope: String = "", priority: FetchPriority = .low
    ) -> PaginatorExecution {
        var request = PrefetchRequest(keys: keys, pageSize: pageSize, scope: scope, priority: priority)
        request.completes = .nowhere
        return prefetch(request) { _ in }
    }

    /// Loads pages into the caches and tells on the main actor what came; otherwise as ``prefetch(_:completion:)``.
    @discardableResult
    public func prefetch(
        _ request: PrefetchRequest, onMain completion: @escaping @MainActor @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution {
        var request = request
        request.completes = .mainQueue
        return prefetch(request) { summary in MainQueue.run { completion(summary) } }
    }

    /// Removes the pages of a key, in every size and every scope: a short form of ``clear(_:completion:)``.
    ///
    /// - Parameter key: the pages' key.
    public func clear(key: String) { clear(.key(key), completion: nil) }

    /// Removes the pages of a scope: a short form of ``clear(_:completion:)``.
    ///
    /// - Parameter scope: the scope, such as that of a user who logs out.
    public func clear(scope: String) { clear(.scope(scope), completion: nil) }

    /// Removes every page: a short form of ``clear(_:completion:)``.
    public func clearAll() { clear(.all, completion: nil) }

    /// Puts a page without a scope into the caches: the short form of ``prime(_:pageSize:scope:)``.
    ///
    /// - Parameters:
    ///   - page: the page; it is cached by its own key.
    ///   - pageSize: the number of items by which it will be asked for.
    /// - Throws: as the long form.
    public func prime(_ page: PaginatorPage<T>, pageSize: Int) throws(PaginatorError) {
        try prime(page, pageSize: pageSize, scope: "")
    }

    /// Returns the page in memory, fresh or stale: the short form of ``peek(_:)``.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items it was asked for with.
    ///   - scope: separates pages with the same key, such as those of two users.
    public func peek(key: String, pageSize: Int, scope: String = "") -> FetchedPage<T>? {
        peek(PageIdentity(key: key, pageSize: pageSize, scope: scope))
    }

    /// Calls `onChange` with a page's state: the short form of ``observe(_:onChange:)``.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items it is asked for with.
    ///   - scope: separates pages with the same key, such as those of two users.
    ///   - onChange: takes the state, on the callback queue; `nil` when nothing is known of the page any more.
    /// - Returns: the observation. It ends when it is cancelled, or with the paginator; dropping it does not end it.
    @discardableResult
    public func observe(
        key: String, pageSize: Int, scope: String = "",
        onChange: @escaping @Sendable (PaginatorPageResult<T>?) -> Void
    ) -> PaginatorExecution {
        observe(PageIdentity(key: key, pageSize: pageSize, scope: scope), onChange: onChange)
    }
}
