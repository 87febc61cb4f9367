/// One call of a data source.
public struct SourceRequest: Sendable, Hashable {
    /// The page asked for.
    public var identity: PageIdentity

    /// Whether the key is the source's first key.
    public var isFirst: Bool

    /// Which attempt of the load this is, from 1.
    public var attempt: Int

    /// How urgent the load was when the attempt started.
    public var priority: FetchPriority

    /// Whether nobody waits for the page yet.
    public var isPrefetch: Bool

    /// How much of the page is enough; `nil`, the default, for all of it. A source may give more than that, or all.
    public var part: PagePart?

    /// Where to go on; `nil`, the default, to begin at the page's start.
    ///
    /// It is the ``PaginatorPage/continuation`` of the part that the paginator has, in the same epoch, not stale and at most
    /// five minutes old. The answer is then what follows that part and not the part itself; the paginator joins them. A source
    /// that cannot go on any more answers with ``SourceError/keyExpired(_:)``, and is called again for the page from its
    /// start. So it is where the total or the revision of both are known and differ, and where an edit has taken items off the
    /// part or added some. A source gets continuations only if it makes pages with some.
    public var continuation: String?

    package var context = SourceCallContext()

    /// The page's key.
    public var key: String { identity.key }

    /// The number of items asked for.
    public var pageSize: Int { identity.pageSize }

    /// The scope of the request; empty when there is only one.
    public var scope: String { identity.scope }

    /// Makes a call, for adapters and tests; paginators make their own.
    ///
    /// - Parameters:
    ///   - identity: the page asked for.
    ///   - isFirst: whether the key is the source's first key.
    ///   - attempt: which attempt of the load this is, from 1.
    ///   - priority: how urgent the load is.
    ///   - isPrefetch: whether nobody waits for the page yet.
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

    /// Returns the page of the same identity that the paginator has, stale mostly, so that a source can ask whether it
    /// has changed and answer with a page of the same content if not.
    ///
    /// It is `nil` when neither memory nor the store has given the page to this load, when it has another item type, and
    /// when a validator wanted it loaded again.
    ///
    /// - Parameter type: the item type.
    public func cachedPage<T: Sendable>(of type: T.Type = T.self) -> PaginatorPage<T>? {
        guard let page = context.page?.object as? PaginatorPage<T>, page.key.hasSameBytes(as: key) else { return nil }
        return page
    }

    /// Keeps the paginator from calling the source again for a while, as when an answer says that it was the last one
    /// that a rate limit allows.
    ///
    /// Call it before the answer, so that nothing starts in between; also for a success. What runs goes on. Loads wait
    /// without a slot, while the deadlines of those who wait for them go on counting, and are told as
    /// ``PaginatorEvent/Kind/throttled``. A pause holds for the paginator that made the call, also where it shares its
    /// scheduler. Of several the one that ends last counts.
    ///
    /// A fetch that has less time left ends at once, with ``PaginatorError/Code/throttled``.
    ///
    /// - Parameters:
    ///   - delay: how long; zero or less does nothing, and ``PaginatorSchedulerConfig/sourcePauseCap`` is the most.
    ///   - cause: why; the underlying error of fetches that end because of it; `nil`, the default, for no reason.
    public func pauseSource(for delay: Duration, because cause: (any Error)? = nil) {
        if delay > .zero { context.caller?.pauseSource(for: delay, because: cause) }
    }
}

extension SourceRequest {
    /// Runs `body`, which makes items of bytes, and tells observers how long it took, as
    /// ``PaginatorEvent/Kind/decoded``: so the time of a call divides into transfer and decoding.
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

    /// Shows the first items of the page to those who wait for it, while the source is still working.
    ///
    /// It may be called often, with more items each time, on any thread, before the answer. The items are those that the
    /// answer will begin with, without what the paginator has already, where there is a ``continuation``. No cache takes
    /// them for the page. Where the answer is a failure, and the caches have no whole page, memory keeps them as a part to go
    /// on from for a while, if they say where it goes on: so what they say of themselves, such as the time when they expire,
    /// ``PaginatorPage/isStorable`` and their tags, must be right.
    ///
    /// ```swift
    /// let posts = ClosureDataSource<Post>(firstKey: "0") { request, completion in
    ///     let rowsSoFar: [Post] = []
    ///     request.preview(PaginatorPage(content: rowsSoFar, key: request.key, continuation: ""))
    ///     return .none
    /// }
    /// ```
    ///
    /// - Parameter page: the items so far, with a ``PaginatorPage/continuation``: where to go on if the rest does not come,
    ///   or an empty text. A page without one is not shown.
    public func preview<T: Sendable>(_ page: PaginatorPage<T>) {
        guard context.takesParts else { return }
        context.caller?.show(LoadedPage(page, as: identity, from: .source, clock: clock))
    }

    /// The same call for all of a page that nobody sees before it has come: for sources within a source that makes a page of
    /// its own of theirs.
    var forWholePage: SourceRequest {
        var request = self
        (request.part, request.continuation, request.context.takesParts) = (nil, nil, false)
        return request
    }

    var clock: any PaginatorClock { context.caller?.clock ?? SystemPaginatorClock() }

    var timeLeft: Duration {
        guard let deadline = context.deadline else { return context.caller?.attemptTimeout ?? .seconds(30) }
        return max(.zero, clock.now.duration(to: deadline))
    }

    /// How long the first of two sources may take, so that the second one has a chance.
    var halfOfTimeLeft: Duration { .nanoseconds(timeLeft.wholeNanoseconds / 2) }

    /// The same call with a deadline, so that sources within sources share the time that the outer one has.
    func limited(to time: Duration) -> SourceRequest {
        var request = self
        request.context.deadline = clock.now.advanced(by: time)
        return request
    }
}

/// What a paginator offers to the source that it calls. It is no part of what is asked for, so that calls are equal
/// without regard to it.
package struct SourceCallContext: Sendable, Hashable {
    package var page: LoadedPage?
    var offersPage = true
    var takesParts = true
    /// Who makes the call; `nil` where no paginator does.
    var caller: (any SourceCaller)?
    /// When the call has to be over; `nil` for the attempt's time-out, counted from now.
    var deadline: PaginatorInstant?

    init() {}

    package static func == (left: SourceCallContext, right: SourceCallContext) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

/// The paginator's side of one call of its source.
protocol SourceCaller: AnyObject, Sendable {
    var clock: any PaginatorClock { get }
    var executor: any WorkExecutor { get }
    var attemptTimeout: Duration { get }
    /// Takes note of when a part of the call has to be over; `due` says `nil` when it is.
    func limit(by due: @escaping @Sendable () -> PaginatorInstant?)

    func pauseSource(for delay: Duration, because cause: (any Error)?)

    func report(_ event: PaginatorEvent)

    /// Shows the first items of the page, or of what follows the part that is there.
    func show(_ page: LoadedPage)

    /// Takes note, before the answer, that its page stands in for a newer one that failed to come.
    func answerStandsIn(for error: SourceError)
}

/// How to stop one call of a data source.
public struct SourceCancellation: Sendable {
    private let action: @Sendable () -> Void

    /// For a call that cannot be stopped; its answer is ignored.
    public static let none = SourceCancellation {}

    /// Stops a call by running `action`, once at most, on any thread.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    /// Stops the call.
    public func cancel() {
        action()
    }
}
