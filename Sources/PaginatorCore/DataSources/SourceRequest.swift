/// The request of one call of a data source.
public struct SourceRequest: Sendable, Hashable {
    /// The requested page.
    public var identity: PageIdentity

    /// Whether the key is the source's first key.
    public var isFirst: Bool

    /// The number of the attempt of this load, from 1.
    public var attempt: Int

    /// The load's priority when the attempt started.
    public var priority: FetchPriority

    /// Whether no caller looks at the page yet, as with a prefetch or a neighbor.
    public var isPrefetch: Bool

    /// How much of the page is enough; `nil`, the default, for all of it. A source may return more, or all.
    public var part: PagePart?

    /// The point from which to continue; `nil`, the default, begins at the page's start.
    ///
    /// It is the ``PaginatorPage/continuation`` of the part that the paginator has: of the same epoch, not stale, and
    /// at most five minutes old. The answer is what follows that part, without the part itself; the paginator joins
    /// them. A source that cannot continue answers with ``SourceError/keyExpired(_:)``, and is called again for the
    /// page from its start. That also happens if the total or the revision of both are known and differ, and if an edit
    /// has removed or added items of the part. A source gets continuations only if it returns pages with them.
    public var continuation: String?

    var context = SourceCallContext()

    /// The page's key.
    public var key: String { identity.key }

    /// The requested number of items.
    public var pageSize: Int { identity.pageSize }

    /// The scope of the request; empty if there is only one.
    public var scope: String { identity.scope }

    /// Creates a request, for adapters and tests; paginators make their own.
    ///
    /// - Parameters:
    ///   - identity: the requested page.
    ///   - isFirst: whether the key is the source's first key.
    ///   - attempt: the number of the attempt of this load, from 1.
    ///   - priority: the load's priority.
    ///   - isPrefetch: whether no caller looks at the page yet.
    public init(
        identity: PageIdentity,
        isFirst: Bool = false,
        attempt: Int = 1,
        priority: FetchPriority = .medium,
        isPrefetch: Bool = false
    ) {
        self.identity = identity
        self.isFirst = isFirst
        self.attempt = attempt
        self.priority = priority
        self.isPrefetch = isPrefetch
    }

    /// Returns the cached page with the same identity, usually stale. A source can ask whether it has changed, and if
    /// not, answer with a page of the same content.
    ///
    /// It is `nil` if neither memory nor the store had the page for this load, if it has another item type, and if a
    /// validator wanted it loaded again.
    ///
    /// - Parameter type: the item type.
    public func cachedPage<T: Sendable>(of type: T.Type = T.self) -> PaginatorPage<T>? {
        guard let page = context.page?.object as? PaginatorPage<T>, page.key.hasSameBytes(as: key) else { return nil }
        return page
    }

    /// Pauses calls of the source, for example when an answer says that it used up a rate limit.
    ///
    /// Call it before the answer, even for a success, so that no load starts in between. Running calls continue. Loads
    /// wait without a slot and report ``PaginatorEvent/Kind/throttled``; the deadlines of their waiters keep running,
    /// and a fetch with less time left fails at once with ``PaginatorError/Code/throttled``. The pause applies to the
    /// paginator that made the call, even if it shares its scheduler. Of several pauses the one that ends last counts.
    ///
    /// In a ``PaginatorDataSource/fallback(to:after:when:)``, and as the remote source of a ``MediatorDataSource``, a
    /// source pauses only itself: until the end it is not called, and fails with `cause` and the rest of the delay, so
    /// pages come from the other source. The pause then applies to all paginators that share it.
    ///
    /// - Parameters:
    ///   - delay: the duration, at most ``PaginatorSchedulerConfig/sourcePauseCap``; zero or less does nothing.
    ///   - cause: the underlying error of fetches that fail because of the pause; `nil`, the default, for none.
    public func pauseSource(for delay: Duration, because cause: (any Error)? = nil) {
        if delay > .zero { context.caller?.pauseSource(context.pause, for: delay, because: cause) }
    }
}

extension SourceRequest {
    /// Runs `body`, which decodes items, and reports its duration as ``PaginatorEvent/Kind/decoded``. This divides the
    /// time of a call into transfer and decoding.
    ///
    /// ```swift
    /// func posts(in body: Data, for request: SourceRequest) throws -> [Post] {
    ///     try request.decoding { try JSONDecoder().decode([Post].self, from: body) }
    /// }
    /// ```
    public func decoding<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        guard let caller = context.caller else { return try body() }
        let start = caller.clock.now
        defer {
            let end = caller.clock.now
            var event = PaginatorEvent(.decoded, at: end, identity: identity)
            (event.origin, event.attempt, event.duration) = (.source, attempt, start.duration(to: end))
            caller.report(event)
        }
        return try body()
    }

    /// Shows the first items of the page to its waiters while the source is still working.
    ///
    /// It may be called repeatedly, with more items each time, on any thread, before the answer. The items are the
    /// beginning of the answer; with a ``continuation``, they exclude what the paginator already has. No cache keeps
    /// them as the page. If the call fails and no cache has the whole page, memory keeps them for a while as a part to
    /// continue, provided that they have a continuation. So their expiration time, ``PaginatorPage/isStorable`` and
    /// tags must be right.
    ///
    /// ```swift
    /// let posts = ClosureDataSource<Post>(firstKey: "0") { request, completion in
    ///     let rowsSoFar: [Post] = []
    ///     request.preview(PaginatorPage(content: rowsSoFar, key: request.key, continuation: ""))
    ///     return .none
    /// }
    /// ```
    ///
    /// - Parameter page: the items so far. Its ``PaginatorPage/continuation`` is the point to continue from if the rest
    ///   does not arrive, or an empty text. A page without one is not shown.
    public func preview<T: Sendable>(_ page: PaginatorPage<T>) {
        guard context.takesParts else { return }
        context.caller?.show(LoadedPage(page, as: identity, from: .source, clock: clock))
    }

    /// The same request for a record of the call, which must not retain the page.
    package var withoutCachedPage: SourceRequest {
        var request = self
        request.context.page = nil
        return request
    }

    /// The same request without parts and previews, for sources inside a source that builds its own page.
    var forWholePage: SourceRequest {
        var request = self
        (request.part, request.continuation, request.context.takesParts) = (nil, nil, false)
        return request
    }

    var clock: any PaginatorClock { context.caller?.clock ?? SystemPaginatorClock() }

    /// Runs calls of sources, which may block.
    var executor: any WorkExecutor { context.caller?.executor ?? QueueExecutor.work }

    var timeLeft: Duration {
        guard let deadline = context.deadline else { return context.caller?.attemptTimeout ?? .seconds(30) }
        return max(.zero, clock.now.duration(to: deadline))
    }

    /// The time for the first of two sources, so that the second one has a chance.
    var halfOfTimeLeft: Duration { .nanoseconds(timeLeft.wholeNanoseconds / 2) }

    /// The same request with a deadline, so that nested sources share the time of the outer one.
    func limited(to time: Duration) -> SourceRequest {
        var request = self
        request.context.deadline = clock.now.advanced(by: time)
        return request
    }
}

/// The data that a paginator passes to the source with a call. It is not part of the request: all contexts are equal.
struct SourceCallContext: Sendable, Hashable {
    var page: LoadedPage?
    var offersPage = true
    var takesParts = true
    /// The caller; `nil` if it is not a paginator.
    var caller: (any SourceCaller)?
    /// The pause of the called source; `nil` if its pauses apply to the whole paginator.
    var pause: SourcePause?
    /// The deadline of the call; `nil` for the attempt's timeout from now.
    var deadline: PaginatorInstant?

    static func == (left: SourceCallContext, right: SourceCallContext) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

/// The paginator's side of one call of its source.
protocol SourceCaller: AnyObject, Sendable {
    var clock: any PaginatorClock { get }
    var executor: any WorkExecutor { get }
    var attemptTimeout: Duration { get }
    var isOffline: Bool { get }
    /// Adds the deadline of a part of the call; `due` returns `nil` once the part is over.
    func limit(by due: @escaping @Sendable () -> PaginatorInstant?)

    /// Extends the pause of one of several sources, or without one that of the whole paginator.
    func pauseSource(_ own: SourcePause?, for delay: Duration, because cause: (any Error)?)

    func report(_ event: PaginatorEvent)

    /// Shows the first items of the page, or the first items after the part that the paginator has.
    func show(_ page: LoadedPage)

    /// Records, before the answer, that its page replaces a newer one that could not be loaded.
    func answerIsFallback(for error: SourceError)

    /// Returns a time after every request so far, and before every later one.
    func makeRequestTime() -> PaginatorInstant

    /// Records, before the answer, that its page is read after a refresh that was saved at `time`: pages requested
    /// before that must not follow it, and it counts as requested now. The page of the refresh itself does not: its
    /// data was requested before.
    func answerIsRead(afterRefreshAt time: PaginatorInstant, isRefresh: Bool)
}

/// A handle to cancel one call of a data source.
public struct SourceCancellation: Sendable {
    private let action: @Sendable () -> Void

    /// For a call that cannot be stopped. Its answer is ignored.
    public static let none = SourceCancellation {}

    /// Creates a handle that runs `action`, on any thread, also inside `completion` and inside calls of the paginator.
    /// So it must not wait for the lock or queue from which the source answers. A call is cancelled at most once.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// Stops the call.
    public func cancel() {
        action()
    }
}
