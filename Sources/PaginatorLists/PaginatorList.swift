public import PaginatorCore

/// One growing list over a paginator, in two directions: what an app shows, kept in order.
///
/// ```swift
/// let list = PaginatorList(paginator, id: \.id)
/// let observation = list.observe(onMain: { update in view.apply(update.difference, update.status) })
/// list.loadNext()
/// ```
///
/// An item is shown once, at the first position that any loaded page gives it, with the newest value that came. Pages
/// that do not join leave a gap, which is filled on demand. Items stay when a load fails.
///
/// Every call may come from any thread, also from inside a callback, and returns at once. Callbacks come on the
/// paginator's callback queue, in order with its other callbacks. Releasing the list stops its loads; it keeps its
/// paginator alive.
public final class PaginatorList<T: Sendable, ID: Hashable & Sendable>: Sendable {
    /// The paginator that the list loads from.
    public let paginator: any Paginator<T>
    private let base: CallbackPaginator<T>
    let engine: ListEngine
    private let items: ListItems<T, ID>
    // Which rows of edits it is told from now on.
    private let setScope: @Sendable (_ scope: String) -> Void
    private let isEqual: (@Sendable (T, T) -> Bool)?

    /// Makes an empty list, which loads nothing yet.
    ///
    /// - Parameters:
    ///   - paginator: where pages come from.
    ///   - id: tells one item from another; pure, and called on any thread.
    ///   - isEqual: whether two values of one item look the same, so that no difference tells of the newer one; pure,
    ///     and called on any thread. `nil`, the default, is `==` where items are `Equatable`; others always differ.
    ///   - config: everything else.
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

    /// What the list shows. Complexity: O(1).
    public var snapshot: PaginatorListSnapshot<T, ID> { engine.content.snapshot() }

    /// What the list is doing.
    public var status: PaginatorListStatus { engine.content.status }

    /// Loads the page behind the last one, or the first page of an empty list; does nothing while that load runs, and
    /// at the end.
    public func loadNext() { engine.feed { $0.loadNext() } }

    /// Loads the page before the first one, or the first page of an empty list; does nothing while that load runs, and
    /// at the start.
    public func loadPrevious() { engine.feed { $0.loadPrevious() } }

    /// Loads pages at the end until there are no more, or the list has a number of items; those that the window has dropped at
    /// its start count.
    ///
    /// More than ``PaginatorListConfig/maxEmptyPages`` pages in a row without a new item end it, too;
    /// ``PaginatorListStatus/hasNext`` tells whether there is more.
    ///
    /// - Parameters:
    ///   - limit: how many items are enough; all by default. Zero or less loads nothing, and completes at once.
    ///   - completion: takes why a page could not be loaded, `nil` where all have come. Called once, on the paginator's
    ///     callback queue; with ``/PaginatorCore/PaginatorError/Code/cancelled`` when it is cancelled, by the execution or by
    ///     ``cancelLoads()``, and when the list is reset, shows something else or is released.
    /// - Returns: the execution; cancelling it stops further pages, not the one that is under way.
    @discardableResult
    public func loadAll(
        limit: Int = .max, completion: @escaping @Sendable (PaginatorError?) -> Void = { _ in }
    ) -> PaginatorExecution {
        engine.loadAll(limit: limit, completion: completion)
    }

    /// Goes to the page of a key: it becomes what hints go by when the list has it, and is loaded otherwise.
    ///
    /// Where keys are offsets every position is a key, and its item is the update's anchor then:
    ///
    /// ```swift
    /// list.jump(to: String(2_500))
    /// ```
    ///
    /// - Parameters:
    ///   - key: the page's key.
    ///   - placement: where the page goes; by number where keys are numbers that grow, else at the end, by default.
    public func jump(to key: String, placement: PaginatorListPlacement = .automatic) {
        engine.feed { $0.jump(to: key, placement) }
    }

    /// Loads the next missing page of a gap. Complexity: as a load.
    ///
    /// - Parameters:
    ///   - position: one of ``PaginatorListSnapshot/gaps``; nothing happens where there is none.
    ///   - fromEnd: whether to begin with the page before the items behind the gap; false by default, for the one after the
    ///     items before it. Where that end has no key, it is the other one.
    public func fillGap(at position: Int, fromEnd: Bool = false) {
        engine.feed { $0.fillGap(at: position, fromStart: !fromEnd) }
    }

    /// Loads again what failed, where it lies by now: also pages that older ones stand in for, and what was to be loaded ahead.
    ///
    /// Where a key has expired, the list begins again at the source's first key.
    public func retry() { engine.feed { $0.retry() } }

    /// Loads pages anew; items stay until the answer has come, and when it fails.
    ///
    /// What is loaded behind a refreshed page is as new as that: the source is asked even where a cache has the page. An
    /// older page, which is all that can be had without a connection, stands behind a gap. What failed for want of a
    /// connection, a refresh included, is tried again when the connection is back.
    ///
    /// Where the refreshed page shares rows with the one behind it, rows before that were removed at the source, and
    /// ``PaginatorListNotice/shifted(items:)`` tells so. Offsets follow, where ``PaginatorListConfig/addressing`` says that
    /// keys are such; pages addressed by number are best refreshed by ``PaginatorListRefresh/keepingPlace``, since the
    /// next one would leave out as many rows.
    ///
    /// - Parameters:
    ///   - refresh: which pages, and what becomes of the rest; all by default. In an empty list the first page is
    ///     loaded, whatever is cached of it, but for ``PaginatorListRefresh/page(_:)``.
    ///   - completion: takes why one of the pages could not be loaded, the first such error; `nil` when all have come, or
    ///     there were none. Called once, on the paginator's callback queue; with ``/PaginatorCore/PaginatorError/Code/cancelled`` when
    ///     the loads are cancelled or the list is reset or released.
    public func refresh(
        _ refresh: PaginatorListRefresh = .all, completion: (@Sendable (PaginatorError?) -> Void)? = nil
    ) {
        engine.refresh(refresh, completion: completion)
    }

    /// Shows something else: another search, filter or sort order, by the scope that the source reads in each request; an
    /// HTTP source in `HTTPSourceOptions.prepare`.
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
    /// The first page is loaded from the caches or the source as that of a new list, after ``PaginatorListConfig/debounce``.
    /// What was shown stays until it comes, or goes at once; the difference leads from the one to the other, and items that
    /// both have stay. Of the old scope nothing comes any more: its loads end, hints and loads meanwhile are for the new
    /// one, and its live rows, newer values that ``insertLive(_:at:)`` gave its items, and rows that edits inserted go with it, so that
    /// who comes back sees what the caches have; edits of items stay over them, and rows that edits
    /// inserted into the new scope come. Where the first page cannot be had, what is kept stays, ``PaginatorListStatus/refresh``
    /// tells the error, and ``retry()`` tries the new scope again. Of several switches the last one wins.
    ///
    /// - Parameters:
    ///   - scope: what is shown from now on.
    ///   - initialKey: the key that it begins at; `nil`, the default, is the source's first key.
    ///   - keepsItems: whether what is shown stays until the first page has come; true by default.
    public func show(scope: String, initialKey: String? = nil, keepsItems: Bool = true) {
        engine.show(scope, initialKey: initialKey, keepsRows: keepsItems) { [setScope] in setScope(scope) }
    }

    /// Empties the list and stops its loads. Edits that are pending stay.
    ///
    /// What is loaded then, the source is asked for, even where a cache has it; that stands in where the source fails.
    public func reset() {
        let time = engine.host.makeTimeOfAsking()
        engine.feed { $0.reset(at: time) }
    }

    /// Stops the list's loads; its state is what it was before them.
    public func cancelLoads() { engine.feed { $0.cancelLoads() } }

    /// Tells what somebody looks at, so that the list loads ahead at both ends and keeps what is near.
    ///
    /// A hint while the first page is loading is remembered. Far hints count as the nearest position. A load ahead that fails
    /// is told when the row is visible behind which its page would stand.
    ///
    /// - Parameter visible: positions in ``snapshot``.
    public func hint(visible: Range<Int>) {
        let now = engine.host.clock.now
        engine.feed { $0.hint(visible, at: now) }
    }

    /// Tells that an item's row came on the screen, such as in a delegate's `willDisplay`, so that the list loads ahead.
    ///
    /// A hint of all positions that are visible makes a bookmark more exact.
    ///
    /// - Parameter id: the item, wherever it is by now; nothing happens when the list does not show it.
    public func hint(visible id: ID) {
        let now = engine.host.clock.now
        engine.post { [items] list in
            if let id = items.ids.find(id)?.id { list.learn { $0.hint(id, at: now) } }
        }
    }

    /// Changes how far ahead a hint loads.
    ///
    /// - Parameter items: the distance in items from either end; zero or less for none, `nil` to adapt as
    ///   ``PaginatorListConfig/prefetchDistance`` does.
    public func setPrefetchDistance(_ items: Int?) { engine.feed { $0.setPrefetchDistance(items) } }

    /// Stops loading ahead, or goes on from the last hint; hints are remembered meanwhile.
    ///
    /// - Parameter isPaused: whether nothing is loaded ahead.
    public func setPrefetchPaused(_ isPaused: Bool) { engine.feed { $0.setPrefetchPaused(isPaused) } }

    /// Adds items that the source pushed: at the head they show while the start of the list is loaded, and count as
    /// ``PaginatorListStatus/newAbove`` otherwise. An item that the list has takes the newer value, where it is.
    ///
    /// Rows that came after a refresh began stay when its answer comes; earlier ones go where the answer does not have
    /// them. Where ``PaginatorListConfig/windowItems`` is exceeded, rows far from what is visible are counted only, and
    /// come back when somebody scrolls there. Complexity: O(log n) for each row at the head or the tail.
    ///
    /// - Parameters:
    ///   - items: the items; of several at one place the last one is nearest to the edge.
    ///   - place: where they go, the head by default.
    public func insertLive(_ items: [T], at place: PaginatorRowPlace<ID> = .head) {
        guard !items.isEmpty else { return }
        let rows = items.map { (id: self.items.identifier.id($0), value: $0) }
        let time = engine.host.makeTimeOfAsking()
        engine.post { [items = self.items] list in
            let rows = rows.map { items.row($0.id, $0.value) }
            let place = items.place(place)
            list.learn { $0.insert(rows, place, token: nil, at: time) }
        }
    }

    /// Calls `onUpdate` with what the list shows: once soon, and then after each change.
    ///
    /// Changes that come in quick succession may be told as one, whose difference is that of all.
    ///
    /// - Parameter onUpdate: takes the update, on the paginator's callback queue.
    /// - Returns: the observation. It ends when it is cancelled, or with the list; dropping it does not end it.
    @discardableResult
    public func observe(
        _ onUpdate: @escaping @Sendable (PaginatorListUpdate<T, ID>) -> Void
    ) -> PaginatorExecution {
        engine.observe(wantsMain: false) { [isEqual] in onUpdate(PaginatorListUpdate($0, following: $1, $2, isEqual)) }
    }

    /// Calls `onUpdate` on the main actor; see ``observe(_:)``.
    ///
    /// - Parameter onUpdate: takes the update, on the main queue.
    /// - Returns: the observation.
    @discardableResult
    public func observe(
        onMain onUpdate: @escaping @MainActor @Sendable (PaginatorListUpdate<T, ID>) -> Void
    ) -> PaginatorExecution {
        engine.observe(wantsMain: true) { [isEqual] change, before, numbers in
            let update = PaginatorListUpdate<T, ID>(change, following: before, numbers, isEqual)
            MainActor.assumeIsolated { onUpdate(update) }
        }
    }

    /// Tells where the list is, to come back to it after a relaunch.
    ///
    /// - Parameter completion: takes the bookmark, `nil` while nothing is loaded; on any thread.
    public func bookmark(_ completion: @escaping @Sendable (PaginatorListBookmark?) -> Void) {
        engine.host.executor.run { [engine] in
            engine.post { completion($0.machine.bookmark()) }
        }
    }

    /// The key of the source's first page, which ``PaginatorListConfig/initialKey`` may not be.
    package var firstKey: String { engine.host.firstKey }

    /// Tells what does not hold that must, in order with the list's events; for tests of the library.
    package func checkInvariants(_ body: @escaping @Sendable (_ violations: [String]) -> Void) {
        engine.post { body($0.machine.invariantViolations()) }
    }

    /// Makes the room between pages small, so that it runs out; for tests of the library.
    package func setRankStep(_ step: Int) {
        engine.post { $0.machine.rankStep = step }
    }

    /// Goes back to where a bookmark was made: the page looked at first, the others when they are wanted.
    ///
    /// What the list shows is gone at once. A key that has expired meanwhile lets the list begin at the first key.
    ///
    /// - Throws: ``/PaginatorCore/PaginatorError`` with ``/PaginatorCore/PaginatorError/Code/invalidBookmark`` when the bookmark is of another scope
    ///   or page size; the list stays as it is.
    public func restore(_ bookmark: PaginatorListBookmark) throws(PaginatorError) {
        guard bookmark.scope.hasSameBytes(as: engine.scope), bookmark.pageSize == engine.pageSize else {
            throw PaginatorError(.invalidBookmark, "The bookmark belongs to a list of another scope or page size.")
        }
        engine.feed { $0.restore(bookmark) }
    }
}

extension PaginatorList where T: Identifiable, T.ID: Sendable, ID == T.ID {
    /// Makes an empty list of items that have an identity.
    ///
    /// - Parameters:
    ///   - paginator: where pages come from.
    ///   - isEqual: whether two values of one item look the same; `nil`, the default, is `==` where items have that.
    ///   - config: everything else.
    public convenience init(
        _ paginator: some Paginator<T>, isEqual: (@Sendable (T, T) -> Bool)? = nil,
        config: PaginatorListConfig = PaginatorListConfig()
    ) {
        self.init(paginator, id: { $0.id }, isEqual: isEqual, config: config)
    }
}

extension PaginatorList {
    /// The edits of the list's paginator by the list's identities; items change in all its lists.
    public var edits: PaginatorEdits<T, ID> { base.edits(by: items.identifier) }
}
