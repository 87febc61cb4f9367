/// Fetches pages by key, with caches in front of the source: the interface for a screen's code.
///
/// ``CallbackPaginator`` implements it. `PaginatorTesting` has a double that follows a script, records calls, and
/// reports unexpected ones. Every method may be called from any thread, also from a callback, and returns at once. No
/// callback runs inside a call.
///
/// A type that wraps a paginator returns the wrapped paginator's ``base`` and forwards the first three methods. It
/// implements others only to change them; the rest, and every list, use ``base``.
public protocol Paginator<T>: AnyObject, Sendable {
    /// The item type.
    associatedtype T: Sendable

    /// The paginator that has the pages and that lists load from: this one, or the one that it wraps.
    var base: CallbackPaginator<T> { get }

    /// Fetches one page.
    ///
    /// - Parameters:
    ///   - request: the page, and how to fetch it.
    ///   - listener: receives previews and the one answer, on the paginator's callback queue. It is retained until
    ///     then.
    /// - Returns: the execution; cancel it to cancel the fetch. Dropping it does not cancel.
    @discardableResult
    func fetch(_ request: PageRequest, listener: PaginatorFetchListener<T>) -> PaginatorExecution

    /// Fetches a page and then its neighbors, nearest first, forward before backward.
    ///
    /// The outcome of the requested page comes first. A failed neighbor ends only its own direction. A neighbor that is
    /// not cached fails at once with ``PaginatorError/Code/heldBack`` under conditions that reduce loading, and with
    /// ``PaginatorError/Code/offline`` without a connection. One with an invalid key fails with
    /// ``PaginatorError/Code/invalidKey``, without a call of the source.
    ///
    /// - Parameters:
    ///   - request: the page, the depth and the priorities.
    ///   - listener: receives the pages and the one completion, on the paginator's callback queue.
    /// - Returns: the execution; cancel it to cancel what has not arrived.
    @discardableResult
    func fetchAround(_ request: AroundRequest, listener: PaginatorFetchAroundListener<T>) -> PaginatorExecution

    /// Loads a page again and replaces the cached one, which stays until the new page arrives.
    ///
    /// A running load that has already called the source still answers its waiters, but its page is not cached. A load
    /// that has not called it yet is joined.
    ///
    /// - Parameters:
    ///   - request: the page. Its policy and debounce key have no effect.
    ///   - listener: receives the answer; `nil` for none.
    /// - Returns: the execution; cancel it to cancel the refresh.
    @discardableResult
    func refresh(_ request: PageRequest, listener: PaginatorFetchListener<T>?) -> PaginatorExecution

    /// Loads pages, or those that follow a page, into the caches, and reports the result at the end.
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
    ///   - completion: called once with the loaded, fresh and failed pages, on the paginator's callback queue, also
    ///     after a cancel, a timeout or the paginator's release. Loaded pages that may be kept are cached by then; a
    ///     flush makes them durable.
    /// - Returns: the execution. Cancelling it stops loads without other waiters, and leads to the completion.
    @discardableResult
    func prefetch(
        _ request: PrefetchRequest, completion: @escaping @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution

    /// Removes pages from memory and from the store.
    ///
    /// When it returns, memory no longer has them. Running fetches are still answered, but bring nothing into the
    /// caches, and later fetches get a page that was requested after the clear. Lists keep their rows until they are
    /// reset. Complexity: O(pages in memory + running loads and fetches); for one identity O(1 + running loads and
    /// fetches).
    ///
    /// ``PageSelection/all`` also ends all pending edits, as a rollback does, and forgets inserted rows.
    /// ``PageSelection/scope(_:)`` does so for the rows inserted into the scope, and for edits begun through a list
    /// that showed it. Edits begun through ``edits(id:)`` have no scope.
    ///
    /// - Parameters:
    ///   - selection: the pages.
    ///   - completion: called on any thread when the store has removed them, or with its error; after
    ///     ``PaginatorConfig/storeTimeout`` at the latest. `nil` for none.
    func clear(_ selection: PageSelection, completion: (@Sendable (Result<Void, PaginatorError>) -> Void)?)

    /// Marks pages stale. They stay readable, and the next fetch renews them.
    ///
    /// Loads that have called the source, or are still reading a cache, answer their waiters, but their pages are not
    /// cached. Complexity: as ``clear(_:completion:)``.
    func invalidate(_ selection: PageSelection)

    /// Marks pages with one of the tags stale, in memory and in the store; see ``invalidate(_:)``.
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
    /// A load that has called the source still delivers its page, stale if it has one of the tags; later fetches wait
    /// for a newer one. A tag that no page has does nothing. Complexity: O(tags · (pages in memory + running loads)).
    ///
    /// - Parameter tags: the tags, compared by their UTF-8 bytes.
    func invalidate(tags: [String])

    /// Puts a page that did not come from the source into the caches, such as one from a push or a bundled file.
    ///
    /// A running load of the page still answers its waiters, but its page is not cached. Complexity: O(1), plus the
    /// validator.
    ///
    /// - Parameters:
    ///   - page: the page; it is cached under its own key.
    ///   - pageSize: the number of items with which it will be requested.
    ///   - scope: distinguishes pages with the same key, such as those of two users.
    /// - Throws: ``PaginatorError`` with ``PaginatorError/Code/invalidKey`` or ``PaginatorError/Code/invalidPageSize``
    ///   for an invalid identity or tag, and ``PaginatorError/Code/rejectedByValidation`` if the validator does not
    ///   accept the page.
    func prime(_ page: PaginatorPage<T>, pageSize: Int, scope: String) throws(PaginatorError)

    /// Returns the page in memory, fresh or stale, without counting a use. Complexity: O(1).
    ///
    /// It uses neither the store, the source nor the validator, and loads nothing.
    func peek(_ identity: PageIdentity) -> FetchedPage<T>?

    /// Returns the state of a page as a screen shows it, or `nil` if nothing is known of it. Complexity: O(1).
    func state(of identity: PageIdentity) -> PaginatorPageResult<T>?

    /// Calls `onChange` with a page's state soon, and then after each change by memory or a load.
    ///
    /// Changes in quick succession may be merged into one call with the latest state.
    ///
    /// - Parameters:
    ///   - identity: the page.
    ///   - onChange: called on the callback queue with the state, or `nil` if nothing is known of the page any more.
    /// - Returns: the observation. It ends when it is cancelled or the paginator is released, not when it is dropped.
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
    ///   - pageSize: the number of items to request.
    ///   - listener: receives previews and the one answer, on the paginator's callback queue.
    ///   - priority: the load's priority.
    /// - Returns: the execution; cancel it to cancel the fetch.
    @discardableResult
    public func fetch(
        key: String, pageSize: Int, listener: PaginatorFetchListener<T>, priority: FetchPriority = .medium
    ) -> PaginatorExecution {
        fetch(PageRequest(key: key, pageSize: pageSize, priority: priority), listener: listener)
    }

    /// Fetches a page and then its neighbors: the short form of ``fetchAround(_:listener:)``.
    ///
    /// - Parameters:
    ///   - key: the requested page's key.
    ///   - pageSize: the number of items to request per page.
    ///   - depthLevel: the number of pages to load on each side, at least 0.
    ///   - direction: the sides to load.
    ///   - listener: receives the pages and the one completion, on the paginator's callback queue.
    ///   - keyPriority: the requested page's priority.
    ///   - aroundPriority: the neighbors' priority.
    /// - Returns: the execution; cancel it to cancel what has not arrived.
    @discardableResult
    public func fetchAround(
        key: String, pageSize: Int, depthLevel: Int, direction: PageFetchDirection = .all,
        listener: PaginatorFetchAroundListener<T>, keyPriority: FetchPriority = .medium,
        aroundPriority: FetchPriority = .low
    ) -> PaginatorExecution {
        let page = PageRequest(key: key, pageSize: pageSize, priority: keyPriority)
        let request = AroundRequest(
            page: page, depthLevel: depthLevel, direction: direction, aroundPriority: aroundPriority)
        return fetchAround(request, listener: listener)
    }

    /// Loads pages into the caches before they are needed. Fresh cached pages are not loaded again.
    ///
    /// Under conditions that reduce loading it waits for better ones without a limit: until it is cancelled or cleared,
    /// or more than 4,096 wait and it is one of the oldest. Its end is not reported; see ``prefetch(_:completion:)``.
    ///
    /// - Parameters:
    ///   - keys: the pages' keys; invalid ones are ignored.
    ///   - pageSize: the number of items to request.
    ///   - scope: distinguishes pages with the same key, such as those of two users.
    ///   - priority: the loads' priority; low by default. A prefetch never takes the last free slot.
    /// - Returns: the execution; cancel it to cancel what is still loading.
    @discardableResult
    public func prefetch(
        keys: [String], pageSize: Int, scope: String = "", priority: FetchPriority = .low
    ) -> PaginatorExecution {
        var request = PrefetchRequest(keys: keys, pageSize: pageSize, scope: scope, priority: priority)
        request.completes = .noQueue
        return prefetch(request) { _ in }
    }

    /// Loads pages into the caches and reports the result on the main actor; otherwise like
    /// ``prefetch(_:completion:)``.
    @discardableResult
    public func prefetch(
        _ request: PrefetchRequest, onMain completion: @escaping @MainActor @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution {
        var request = request
        request.completes = .mainQueue
        return prefetch(request) { summary in MainQueue.run { completion(summary) } }
    }

    /// Removes the pages of a key, in every size and every scope: a short form of ``clear(_:completion:)``.
    public func clear(key: String) { clear(.key(key), completion: nil) }

    /// Removes the pages of a scope, such as a user's, and ends its edits: a short form of ``clear(_:completion:)``.
    public func clear(scope: String) { clear(.scope(scope), completion: nil) }

    /// Removes every page, and ends every pending edit: a short form of ``clear(_:completion:)``.
    public func clearAll() { clear(.all, completion: nil) }

    /// Puts a page without a scope into the caches: the short form of ``prime(_:pageSize:scope:)``.
    ///
    /// - Throws: as the long form.
    public func prime(_ page: PaginatorPage<T>, pageSize: Int) throws(PaginatorError) {
        try prime(page, pageSize: pageSize, scope: "")
    }

    /// Returns the page in memory, fresh or stale: the short form of ``peek(_:)``.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items it was requested with.
    ///   - scope: distinguishes pages with the same key, such as those of two users.
    public func peek(key: String, pageSize: Int, scope: String = "") -> FetchedPage<T>? {
        peek(PageIdentity(key: key, pageSize: pageSize, scope: scope))
    }

    /// Calls `onChange` with a page's state: the short form of ``observe(_:onChange:)``.
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - pageSize: the number of items it is requested with.
    ///   - scope: distinguishes pages with the same key, such as those of two users.
    ///   - onChange: called on the callback queue with the state, or `nil` if nothing is known of the page any more.
    /// - Returns: the observation, which ends when it is cancelled or the paginator is released. Dropping it does not
    ///   end it.
    @discardableResult
    public func observe(
        key: String, pageSize: Int, scope: String = "",
        onChange: @escaping @Sendable (PaginatorPageResult<T>?) -> Void
    ) -> PaginatorExecution {
        observe(PageIdentity(key: key, pageSize: pageSize, scope: scope), onChange: onChange)
    }
}
