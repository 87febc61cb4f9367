public import PaginatorCore

/// A growing list over a paginator, which loads in both directions and keeps its items in order.
///
/// ```swift
/// let list = PaginatorList(paginator, id: \.id)
/// let observation = list.observe(onMain: { update in view.apply(update.difference, update.status) })
/// list.loadNext()
/// ```
///
/// An item is shown once, at its first position in any loaded page, with its newest value. Two neighboring pages that
/// do not join have a gap between them, which is filled on demand. A failed load leaves the items as they are.
///
/// Every method may be called from any thread, also from a callback, and returns at once. Callbacks run on the
/// paginator's callback queue, in order with its other callbacks. The list keeps its paginator alive; releasing the
/// list stops its loads.
public final class PaginatorList<T: Sendable, ID: Hashable & Sendable>: Sendable {
    /// The paginator that the list loads from.
    public let paginator: any Paginator<T>
    private let base: CallbackPaginator<T>
    let engine: ListEngine
    private let items: ListItems<T, ID>
    // Changes the scope whose inserted rows the edit board reports to this list.
    private let setScope: @Sendable (_ scope: String) -> Void
    private let isEqual: (@Sendable (T, T) -> Bool)?

    /// Creates an empty list. It loads nothing until it is asked to.
    ///
    /// - Parameters:
    ///   - paginator: the paginator to load pages from.
    ///   - id: returns an item's identity. It must be pure, and is called on any thread.
    ///   - isEqual: whether two values of an item look the same, so that a difference leaves out the update. It must be
    ///     pure, and is called on any thread. By default, `nil`, `Equatable` items are compared with `==`, and others
    ///     always differ.
    ///   - config: the list's configuration.
    public init(
        _ paginator: some Paginator<T>, id: @escaping @Sendable (T) -> ID,
        isEqual: (@Sendable (T, T) -> Bool)? = nil, config: PaginatorListConfig = PaginatorListConfig()
    ) {
        self.paginator = paginator
        base = paginator.base
        self.isEqual = isEqual
        items = ListItems(id)
        (engine, setScope) = items.makeEngine(base, config)
    }

    /// The rows that the list shows now. Complexity: O(1).
    public var snapshot: PaginatorListSnapshot<T, ID> { engine.content.snapshot() }

    /// The state of the list's loads, and what the list knows in addition to its rows.
    public var status: PaginatorListStatus { engine.content.status }

    /// Loads the page after the last one, or the first page if the list is empty. Does nothing at the end, or while
    /// that load is running.
    ///
    /// After an empty page it continues with the next one, for up to ``PaginatorListConfig/maxEmptyPages`` pages.
    public func loadNext() { engine.feed { $0.ask(at: .end) } }

    /// Loads the page before the first one, or the first page if the list is empty. Does nothing at the start, or while
    /// that load is running.
    ///
    /// After an empty page it continues with the one before, for up to ``PaginatorListConfig/maxEmptyPages`` pages.
    public func loadPrevious() { engine.feed { $0.ask(at: .start) } }

    /// Loads pages at the end until the source has no more, or the list has `limit` items, counting those that the
    /// window dropped at its start.
    ///
    /// It also ends after more than ``PaginatorListConfig/maxEmptyPages`` pages in a row without a new item;
    /// ``PaginatorListStatus/hasNext`` tells whether there is more.
    ///
    /// - Parameters:
    ///   - limit: the number of items to load up to; all by default. With zero or less, nothing is loaded and the call
    ///     completes at once.
    ///   - completion: called once, on the paginator's callback queue, with `nil` on success or the error of the page
    ///     that failed. The error is ``/PaginatorCore/PaginatorError/Code/cancelled`` after `cancel()` or
    ///     ``cancelLoads()``, and when the list is reset, switched to another scope or released.
    /// - Returns: an execution whose `cancel()` stops further pages, but not the page being loaded.
    @discardableResult
    public func loadAll(
        limit: Int = .max, completion: @escaping @Sendable (PaginatorError?) -> Void = { _ in }
    ) -> PaginatorExecution {
        engine.loadAll(limit: limit, completion: completion)
    }

    /// Moves to the page of a key: loads it unless the list has it, and then treats it as visible.
    ///
    /// If keys are offsets, every position is a key, and the item at that position becomes the update's anchor:
    ///
    /// ```swift
    /// list.jump(to: String(2_500))
    /// ```
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - placement: where to put the page if the list does not have it; see ``PaginatorListPlacement/automatic``.
    ///     With ``PaginatorListPlacement/start`` and the source's first key, the rows that
    ///     ``PaginatorListStatus/newAbove`` counts above a loaded first page are shown or loaded, too.
    ///
    /// A jump that failed before is given up, and so is a failed refresh of the whole list, unless this key is the
    /// source's first one. An empty list that finds no rows near the key, and nothing after it, begins at the source's
    /// first key, except under ``/PaginatorCore/FetchPolicy/cacheOnly``.
    ///
    /// Where ``PaginatorListConfig/addressing`` says that keys are numbers, a jump to another key fails at once with
    /// ``/PaginatorCore/PaginatorError/Code/invalidKey``.
    public func jump(to key: String, placement: PaginatorListPlacement = .automatic) {
        engine.feed { $0.jump(to: key, placement) }
    }

    /// Loads the next missing page of a gap.
    ///
    /// With offsets and page numbers, the page behind the gap was requested before the page that fills it, so rows may
    /// have moved from one to the other. Then a gap is left between the two; the next call loads the later page anew
    /// and closes it.
    ///
    /// - Parameters:
    ///   - position: a position from ``PaginatorListSnapshot/gaps``. Nothing happens if there is no gap.
    ///   - fromEnd: whether to load the page before the items that follow the gap. The default, `false`, loads the page
    ///     after the items that precede it. If that side has no key, the other side is used.
    public func fillGap(at position: Int, fromEnd: Bool = false) {
        engine.feed { $0.fillGap(at: position, fromStart: !fromEnd) }
    }

    /// Retries everything that failed, in place: loads, prefetches, and pages of which an older version is shown.
    ///
    /// If a key has expired, the list begins again at the source's first key.
    public func retry() { engine.feed { $0.retry() } }

    /// Loads pages again. Their items stay until the new pages arrive, or if the load fails.
    ///
    /// In an empty list no cached page is shown meanwhile, and none if the source fails: begin with ``loadNext()``.
    ///
    /// A page that follows a refreshed one must be as new as the refresh, so the source is called even if a cache has
    /// the page. If only an older page is available, for example offline, it is shown after a gap. Loads that failed
    /// offline, refreshes included, are retried when the connection returns, and those that timed out also when the app
    /// returns from the background. If other rows than the first are visible then, they stay: a refresh of the whole
    /// list is repeated with ``PaginatorListRefresh/keepingPlace``. ``retry()`` repeats it as it was.
    ///
    /// If the refreshed page shares rows with the next one, the source has removed rows before that, and the list
    /// reports ``PaginatorListNotice/shifted(items:)``. With ``PaginatorListConfig/Addressing/offset`` the list
    /// corrects the following keys. Refresh pages addressed by number with ``PaginatorListRefresh/keepingPlace``;
    /// otherwise the next page skips as many rows.
    ///
    /// - Parameters:
    ///   - refresh: which pages to load; all by default. In an empty list ``PaginatorListRefresh/page(_:)`` does
    ///     nothing, and every other kind loads the first page from the source. If the first page is being loaded,
    ///     ``PaginatorListRefresh/stalePages`` waits for it instead, which may come from the caches, and for its reload
    ///     if it was invalidated meanwhile.
    ///   - completion: called once, on the paginator's callback queue, with `nil` if all pages arrived or there were
    ///     none, else with the first error. The error is ``/PaginatorCore/PaginatorError/Code/cancelled`` if the loads
    ///     are cancelled, or the list is reset or released.
    public func refresh(
        _ refresh: PaginatorListRefresh = .all, completion: (@Sendable (PaginatorError?) -> Void)? = nil
    ) {
        engine.refresh(refresh, completion: completion)
    }

    /// Switches to another scope, such as another search, filter or sort order. The source reads it from each request;
    /// an HTTP source does so in `HTTPSourceOptions.prepare`.
    ///
    /// ```swift
    /// let found = ClosureDataSource<Post>(firstKey: "0") { request, completion in
    ///     let task = api.search(request.scope, from: request.key, count: request.pageSize, completion)
    ///     return SourceCancellation { task.cancel() }
    /// }
    /// var config = PaginatorListConfig()
    /// config.debounce = DebounceKey("search")
    /// let search = PaginatorList<Post, Post.ID>(CallbackPaginator(dataSource: found), config: config)
    /// search.observe(onMain: { update in view.apply(update.difference, update.status) })
    ///
    /// @Sendable func textDidChange(to text: String) { search.show(scope: text) }
    /// ```
    ///
    /// The first page is loaded from the caches or the source as in a new list, after ``PaginatorListConfig/debounce``.
    /// Until it arrives the old rows stay, or are removed at once if `keepsItems` is false. The difference leads from
    /// the old rows to the new ones; items that are in both stay.
    ///
    /// No page of the old scope arrives after the call: its loads end, and further hints and loads are for the new
    /// scope. Its live rows, the values that ``insertLive(_:at:)`` gave its items, and the rows that edits inserted are
    /// removed with it, so switching back shows the cached pages. Edits of existing items apply in every scope;
    /// inserted rows appear in the scope that they were inserted into. If the first page cannot be loaded, kept rows
    /// stay, ``PaginatorListStatus/refresh`` has the error, and ``retry()`` tries again. Of several switches the last
    /// one wins. Showing the same scope again begins again, too.
    ///
    /// - Parameters:
    ///   - scope: the new scope.
    ///   - initialKey: the key to begin at; `nil`, the default, is the source's first key.
    ///   - keepsItems: whether the old rows stay until the first page arrives; true by default.
    public func show(scope: String, initialKey: String? = nil, keepsItems: Bool = true) {
        engine.show(scope, initialKey: initialKey, keepsRows: keepsItems) { [setScope] in setScope(scope) }
    }

    /// Removes all rows and stops the list's loads. Pending edits stay.
    ///
    /// Later loads call the source even if a cache has the page; the cached page is used if the source fails. A visible
    /// `PaginatedList` loads again at once: leave the screen first. A `PaginatorListAdapter` waits for ``loadNext()``.
    public func reset() {
        let time = engine.host.makeRequestTime()
        engine.feed { $0.reset(at: time) }
    }

    /// Stops the list's loads. Their states become idle, also of loads that repeat a failed one. If no page has come, a
    /// visible `PaginatedList` loads again at once: leave the screen first.
    public func cancelLoads() { engine.feed { $0.cancelLoads() } }

    /// Reports which rows are visible. The list prefetches at both ends and keeps nearby pages.
    ///
    /// A hint during the first load is kept. Positions out of range are clamped. The error of a failed prefetch is
    /// reported once the row before the missing page is visible.
    ///
    /// - Parameter visible: the visible positions in ``snapshot``.
    public func hint(visible: Range<Int>) {
        let (now, jump) = (engine.host.clock.now, engine.content.status.jump)
        engine.feed { $0.hint(visible, at: now, after: jump) }
    }

    /// Reports that an item's row appeared on screen, for instance in a delegate's `willDisplay`. The list prefetches
    /// around it.
    ///
    /// A hint of all visible positions makes bookmarks more precise.
    ///
    /// - Parameter id: the item's identity. Nothing happens if the list does not show the item.
    public func hint(visible id: ID) {
        let (now, jump) = (engine.host.clock.now, engine.content.status.jump)
        engine.post { [items] list in
            if let id = items.ids.find(id)?.id { list.learn { $0.hint(id, at: now, after: jump) } }
        }
    }

    /// Sets the prefetch distance.
    ///
    /// - Parameter items: the distance from either end in items. Zero or less turns prefetching off; `nil` adapts it as
    ///   ``PaginatorListConfig/prefetchDistance`` describes.
    public func setPrefetchDistance(_ items: Int?) { engine.feed { $0.setPrefetchDistance(items) } }

    /// Pauses prefetching, or resumes it from the last hint. Hints are kept while it is paused.
    ///
    /// - Parameter isPaused: whether to pause.
    public func setPrefetchPaused(_ isPaused: Bool) { engine.feed { $0.setPrefetchPaused(isPaused) } }

    /// Inserts items that the source pushed. An item that the list already has gets the new value and keeps its place.
    ///
    /// Rows at the head are shown while the start of the list is loaded; until then ``PaginatorListStatus/newAbove``
    /// counts them. A refresh keeps the rows that were added after it began; earlier rows are removed unless its answer
    /// has them, even if they are visible, for instance if there were more of them than a page has. For rows at the
    /// head, any first page that was requested later does the same, and for rows at the tail, any last page. Beyond
    /// ``PaginatorListConfig/windowItems``, rows far from the visible ones are only counted, and shown when the user
    /// scrolls there. Complexity: O(log n) for each row at the head or the tail; O(rows of dropped pages) for an item
    /// that was on a page and is on no loaded one.
    ///
    /// - Parameters:
    ///   - items: the items, oldest first. The last one becomes the outermost row, or the one right after an anchor.
    ///   - place: where to insert them; the head by default.
    public func insertLive(_ items: [T], at place: PaginatorRowPlace<ID> = .head) {
        guard !items.isEmpty else { return }
        let rows = items.map { (id: self.items.identifier.id($0), value: $0) }
        let time = engine.host.makeRequestTime()
        engine.post { [items = self.items] list in
            let rows = rows.map { items.row($0.id, $0.value) }
            let place = items.place(place)
            list.learn { $0.insert(rows, place, token: nil, at: time) }
        }
    }

    /// Calls `onUpdate` with the current state soon, and then after each change.
    ///
    /// Changes in quick succession may be merged into one update with their total difference.
    ///
    /// - Parameter onUpdate: called on the paginator's callback queue.
    /// - Returns: the observation, which ends when it is cancelled or the list is released. Dropping it does not end
    ///   it.
    @discardableResult
    public func observe(
        _ onUpdate: @escaping @Sendable (PaginatorListUpdate<T, ID>) -> Void
    ) -> PaginatorExecution {
        engine.observe { [isEqual] in onUpdate(PaginatorListUpdate($0, following: $1, $2, isEqual)) }
    }

    /// Calls `onUpdate` on the main actor; see ``observe(_:)``.
    ///
    /// - Parameter onUpdate: called on the main queue.
    /// - Returns: the observation.
    @discardableResult
    public func observe(
        onMain onUpdate: @escaping @MainActor @Sendable (PaginatorListUpdate<T, ID>) -> Void
    ) -> PaginatorExecution {
        engine.observe(at: .mainQueue) { [isEqual] change, before, numbers in
            let update = PaginatorListUpdate<T, ID>(change, following: before, numbers, isEqual)
            MainActor.assumeIsolated { onUpdate(update) }
        }
    }

    /// Creates a bookmark of the current place, for ``restore(_:)`` after a relaunch.
    ///
    /// - Parameter completion: called on any thread with the bookmark, or `nil` if nothing is loaded.
    public func bookmark(_ completion: @escaping @Sendable (PaginatorListBookmark?) -> Void) {
        engine.host.executor.run { [engine] in
            engine.post { completion($0.machine.bookmark()) }
        }
    }

    /// The key of the source's first page; ``PaginatorListConfig/initialKey`` may be another one.
    package var firstKey: String { engine.host.firstKey }

    /// Reports the violated invariants, in order with the list's events; for tests of the library.
    package func checkInvariants(_ body: @escaping @Sendable (_ violations: [String]) -> Void) {
        engine.post { body($0.machine.invariantViolations()) }
    }

    /// Sets a small distance between the ranks of pages, so that they run out; for tests of the library.
    package func setRankStep(_ step: Int) {
        engine.post { $0.machine.rankStep = step }
    }

    /// Returns to the place of a bookmark: loads the visible page first, and the others when they are needed.
    ///
    /// The current rows are removed at once. If a key has expired, or the source has become so short that there are no
    /// rows near the place, the list begins at the first key, except under ``/PaginatorCore/FetchPolicy/cacheOnly``.
    /// Inserted and live rows are kept: each appears once the page beside it is loaded. So are the newer values that
    /// ``insertLive(_:at:)`` gave to items.
    ///
    /// - Throws: ``/PaginatorCore/PaginatorError`` with ``/PaginatorCore/PaginatorError/Code/invalidBookmark`` if the
    ///   bookmark has another scope or page size; the list does not change then.
    public func restore(_ bookmark: PaginatorListBookmark) throws(PaginatorError) {
        guard bookmark.scope.hasSameBytes(as: engine.scope), bookmark.pageSize == engine.pageSize else {
            throw PaginatorError(.invalidBookmark, "The bookmark belongs to a list of another scope or page size.")
        }
        engine.feed { $0.restore(bookmark) }
    }
}

extension PaginatorList where T: Identifiable, T.ID: Sendable, ID == T.ID {
    /// Creates an empty list of `Identifiable` items.
    ///
    /// - Parameters:
    ///   - paginator: the paginator to load pages from.
    ///   - isEqual: whether two values of an item look the same; by default, `nil`, `Equatable` items are compared with
    ///     `==`.
    ///   - config: the list's configuration.
    public convenience init(
        _ paginator: some Paginator<T>, isEqual: (@Sendable (T, T) -> Bool)? = nil,
        config: PaginatorListConfig = PaginatorListConfig()
    ) {
        self.init(paginator, id: { $0.id }, isEqual: isEqual, config: config)
    }
}

extension PaginatorList {
    /// The paginator's edits, addressed by this list's identities. An edit changes the item in all lists of the
    /// paginator. Rows are inserted into the scope that this list shows.
    public var edits: PaginatorEdits<T, ID> {
        base.edits(by: items.identifier) { [weak engine, last = engine.scope] in engine?.scope ?? last }
    }
}
