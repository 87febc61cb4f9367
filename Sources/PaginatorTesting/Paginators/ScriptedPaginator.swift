public import PaginatorCore

/// A paginator for tests of code that uses one. It follows a script in place of a source, records another paginator, or
/// reports unexpected calls, and records every call with its outcome.
///
/// It is based on a ``/PaginatorCore/CallbackPaginator``, so it fetches, caches, prefetches, observes and edits like
/// the app's paginator, and lists and the `async` forms work. A load takes the next step scripted for its key, else the
/// next step for any key, else the result of `otherwise`. Without all three it fails with
/// ``/PaginatorCore/PaginatorError/Code/sourceFailed``. A fetch that memory answers takes no step.
///
/// ```swift
/// let paginator = ScriptedPaginator<Post>(executor: executor)
/// paginator.script([.page(first), .fail(.fatal(Outage()))], forKey: "0")
/// let model = FeedModel(paginator)
/// executor.immediately { model.load() }
/// ```
///
/// Callbacks run one at a time: when the test runs the executor, or without one on a queue of the paginator. With an
/// executor, an `async` fetch also waits for that, even if its page is in memory; see
/// ``SimulatedExecutor/settle(until:)``.
public final class ScriptedPaginator<T: Sendable>: Paginator {
    /// The outcome of a call.
    public enum Outcome: Sendable {
        /// The page of a fetch, a refresh or a read of memory; `nil` if memory had none.
        case page(FetchedPage<T>?)
        /// A fetch around a page has ended.
        case around(AroundSummary)
        /// A prefetch has ended.
        case prefetched(PrefetchSummary)
        /// The states of an observed page so far.
        case states([PaginatorPageResult<T>?])
        /// Success without a result.
        case done
        /// An error.
        case failed(PaginatorError)
    }

    private struct State: Sendable {
        var calls: [PaginatorCall] = []
        var outcomes: [Outcome?] = []
        // How many of the calls have returned.
        var carriedOut = 0
        var isScripted = false
    }

    private typealias Log = Handshake<State>

    private let log = Log(State())
    private let source: ScriptedDataSource<T>?
    private let wrapped: any Paginator<T>
    private let report: (@Sendable (PaginatorCall) -> Void)?

    /// Creates a paginator whose loads take the steps of a script.
    ///
    /// - Parameters:
    ///   - firstKey: the key of the first page; "0" by default.
    ///   - clock: the clock of delays and timeouts; by default that of `config`. If that is the device's and there is
    ///     an executor, a clock that stands still takes its place.
    ///   - executor: runs work and callbacks; by default the executor that `simulate(on:clock:)` put into `config`, or
    ///     without one, queues of the paginator.
    ///   - config: the paginator's configuration.
    ///   - otherwise: returns the step of a load without a scripted one; called on the thread of the load.
    public convenience init(
        firstKey: String = "0", clock: (any PaginatorClock)? = nil, executor: SimulatedExecutor? = nil,
        config: PaginatorConfig = PaginatorConfig(), otherwise: (@Sendable (SourceRequest) -> SourceStep<T>)? = nil
    ) {
        self.init(firstKey, clock, executor, config, report: nil) { request, _ in otherwise?(request) }
    }

    /// Creates a paginator that forwards every call to another one, and records it.
    ///
    /// Scripted steps are not taken. Loads of lists are not recorded, because lists use
    /// ``/PaginatorCore/Paginator/base``.
    ///
    /// - Parameter paginator: the other paginator.
    public init(recording paginator: some Paginator<T>) {
        (wrapped, source, report) = (paginator, nil, nil)
    }

    /// Creates a paginator that reports unexpected calls as failures of the test.
    ///
    /// Expected are calls that `allows` accepts and, once steps are scripted, calls that load; then each load without a
    /// step is reported. A reported call continues with empty caches and a failing source, so that nothing waits.
    ///
    /// ```swift
    /// let paginator = ScriptedPaginator<Post>(unexpected: toTesting) { call in
    ///     if case .peek = call { true } else { false }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - clock: the clock of delays and timeouts; by default the device's, or with an executor one that stands
    ///     still.
    ///   - executor: runs work and callbacks; `nil`, the default, uses queues of the paginator.
    ///   - file: the file in which failures are reported; the caller's by default.
    ///   - line: the line of that file; the caller's by default.
    ///   - report: called with each failure, on the thread of the call or the load.
    ///   - allows: returns whether the test expects a call; none by default.
    public convenience init(
        clock: (any PaginatorClock)? = nil, executor: SimulatedExecutor? = nil, file: StaticString = #filePath,
        line: UInt = #line, unexpected report: @escaping FailureReport,
        allows: @escaping @Sendable (PaginatorCall) -> Bool = { _ in false }
    ) {
        @Sendable func unexpected(_ call: String) -> UnexpectedCall {
            let error = UnexpectedCall(call: call)
            report(error.description, file, line)
            return error
        }
        self.init("0", clock, executor, PaginatorConfig()) { call in
            if !allows(call) { _ = unexpected("Paginator.\(call.text)") }
        } otherwise: { request, isScripted in
            // Before anything is scripted, the call that led here was reported.
            isScripted ? .fail(.fatal(unexpected("A load of \(request.identity)"))) : nil
        }
    }

    private init(
        _ firstKey: String, _ clock: (any PaginatorClock)?, _ executor: SimulatedExecutor?, _ config: PaginatorConfig,
        report: (@Sendable (PaginatorCall) -> Void)?,
        otherwise: @escaping @Sendable (SourceRequest, _ isScripted: Bool) -> SourceStep<T>?
    ) {
        var config = config
        let executor = executor ?? config.executor as? SimulatedExecutor
        if let executor {
            let known: any PaginatorClock = config.clock is SystemPaginatorClock ? ManualPaginatorClock() : config.clock
            config.simulate(on: executor, clock: clock ?? known, seed: config.randomSeed ?? 1)
        } else if let clock {
            config.clock = clock
        }
        let step = { @Sendable [log] request in otherwise(request, log.read(\.isScripted)) ?? .unexpected(request) }
        let source = ScriptedDataSource<T>(
            firstKey: firstKey, clock: config.clock, executor: executor, otherwise: step)
        self.source = source
        self.report = report
        wrapped = CallbackPaginator(dataSource: source, config: config)
    }

    /// Adds steps for loads of any key, taken in order.
    public func script(_ steps: [SourceStep<T>]) {
        log.update { $0.isScripted = true }
        source?.script(steps)
    }

    /// Adds steps for loads of one key, taken before those for any key.
    public func script(_ steps: [SourceStep<T>], forKey key: String) {
        log.update { $0.isScripted = true }
        source?.script(steps, forKey: key)
    }

    /// Every call so far, in order.
    public var calls: [PaginatorCall] { log.read(\.calls) }

    /// The outcome of each of ``calls``; `nil` until there is one.
    public var outcomes: [Outcome?] { log.read(\.outcomes) }

    /// Waits until any `count` calls have been carried out: fetches wait for their page, pages were removed. Outcomes
    /// may follow later.
    ///
    /// - Parameter count: the number of calls since the paginator was created. Those of several threads may be carried
    ///   out in another order than that of ``calls``.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func waitForCalls(_ count: Int) async throws(CancellationError) {
        try await log.wait { $0.carriedOut >= count }
    }

    /// Records a use of the base, and returns it.
    public var base: CallbackPaginator<T> {
        defer { countCarriedOut() }
        _ = begin(.base, .done)
        return wrapped.base
    }

    /// Records the call, and fetches.
    @discardableResult
    public func fetch(_ request: PageRequest, listener: PaginatorFetchListener<T>) -> PaginatorExecution {
        defer { countCarriedOut() }
        return wrapped.fetch(request, listener: RelayingListener(listener, begin(.fetch(request))))
    }

    /// Records the call, and fetches.
    @discardableResult
    public func fetchAround(
        _ request: AroundRequest, listener: PaginatorFetchAroundListener<T>
    ) -> PaginatorExecution {
        defer { countCarriedOut() }
        return wrapped.fetchAround(request, listener: RelayingAroundListener(listener, begin(.fetchAround(request))))
    }

    /// Records the call, and refreshes.
    @discardableResult
    public func refresh(_ request: PageRequest, listener: PaginatorFetchListener<T>?) -> PaginatorExecution {
        defer { countCarriedOut() }
        return wrapped.refresh(request, listener: RelayingListener(listener, begin(.refresh(request))))
    }

    /// Records the call, and prefetches.
    @discardableResult
    public func prefetch(
        _ request: PrefetchRequest, completion: @escaping @Sendable (PrefetchSummary) -> Void
    ) -> PaginatorExecution {
        defer { countCarriedOut() }
        // The queue of the completion is not part of the request.
        var recorded = request
        recorded.completes = .callbackQueue
        let end = begin(.prefetch(recorded))
        var request = request
        if request.completes == .noQueue { request = recorded }
        return wrapped.prefetch(request) { summary in
            end(.prefetched(summary))
            completion(summary)
        }
    }

    /// Records the call, and removes pages.
    public func clear(_ selection: PageSelection, completion: (@Sendable (Result<Void, PaginatorError>) -> Void)?) {
        defer { countCarriedOut() }
        guard let completion else {
            _ = begin(.clear(selection), .done)
            return wrapped.clear(selection, completion: nil)
        }
        let end = begin(.clear(selection))
        wrapped.clear(selection) { result in
            switch result {
            case .success: end(.done)
            case .failure(let error): end(.failed(error))
            }
            completion(result)
        }
    }

    /// Records the call, and invalidates pages.
    public func invalidate(_ selection: PageSelection) {
        defer { countCarriedOut() }
        _ = begin(.invalidate(selection), .done)
        wrapped.invalidate(selection)
    }

    /// Records the call, and invalidates pages.
    public func invalidate(tags: [String]) {
        defer { countCarriedOut() }
        _ = begin(.invalidateTags(tags), .done)
        wrapped.invalidate(tags: tags)
    }

    /// Records the call, and primes the caches.
    ///
    /// - Throws: the error of the wrapped paginator.
    public func prime(_ page: PaginatorPage<T>, pageSize: Int, scope: String) throws(PaginatorError) {
        defer { countCarriedOut() }
        let end = begin(.prime(PageIdentity(key: page.key, pageSize: pageSize, scope: scope)), .done)
        do {
            try wrapped.prime(page, pageSize: pageSize, scope: scope)
        } catch {
            end(.failed(error))
            throw error
        }
    }

    /// Records the call, and reads memory.
    public func peek(_ identity: PageIdentity) -> FetchedPage<T>? {
        defer { countCarriedOut() }
        let end = begin(.peek(identity))
        let page = wrapped.peek(identity)
        end(.page(page))
        return page
    }

    /// Records the call, and returns the state.
    public func state(of identity: PageIdentity) -> PaginatorPageResult<T>? {
        defer { countCarriedOut() }
        let end = begin(.state(identity))
        let state = wrapped.state(of: identity)
        end(.states([state]))
        return state
    }

    /// Records the call, and observes.
    @discardableResult
    public func observe(
        _ identity: PageIdentity, onChange: @escaping @Sendable (PaginatorPageResult<T>?) -> Void
    ) -> PaginatorExecution {
        defer { countCarriedOut() }
        let end = begin(.observe(identity), .states([]))
        return wrapped.observe(identity) { state in
            end(.states([state]))
            onChange(state)
        }
    }

    /// Called when a call is over, not before: the test may then advance the clock.
    private func countCarriedOut() { log.update { $0.carriedOut += 1 } }

    /// Records a call, and reports it if it is unexpected.
    ///
    /// - Returns: a closure that takes the outcome, without retaining the paginator. States are appended.
    private func begin(_ call: PaginatorCall, _ outcome: Outcome? = nil) -> @Sendable (Outcome) -> Void {
        let (id, isScripted) = log.update { state in
            state.calls.append(call)
            state.outcomes.append(outcome)
            return (state.calls.count - 1, state.isScripted)
        }
        if !(isScripted && call.loads) { report?(call) }
        return { [log] outcome in
            log.update { state in
                if case .states(let more) = outcome, case .states(let told)? = state.outcomes[id] {
                    state.outcomes[id] = .states(told + more)
                } else {
                    state.outcomes[id] = outcome
                }
            }
        }
    }
}

/// `@unchecked Sendable`: its state never changes.
private final class RelayingListener<T: Sendable>: PaginatorFetchListener<T>, @unchecked Sendable {
    private let listener: PaginatorFetchListener<T>?
    private let end: @Sendable (ScriptedPaginator<T>.Outcome) -> Void

    init(_ listener: PaginatorFetchListener<T>?, _ end: @escaping @Sendable (ScriptedPaginator<T>.Outcome) -> Void) {
        self.listener = listener
        self.end = end
        super.init()
        takesPreviews = listener?.takesPreviews ?? false
    }

    override var wantsMain: Bool { listener?.wantsMain ?? false }

    override func fetchDidPreview(_ page: FetchedPage<T>) { listener?.fetchDidPreview(page) }

    override func fetchDidEnd(_ result: Result<FetchedPage<T>, PaginatorError>) {
        switch result {
        case .success(let page): end(.page(page))
        case .failure(let error): end(.failed(error))
        }
        listener?.fetchDidEnd(result)
    }
}

/// `@unchecked Sendable`: its state never changes.
private final class RelayingAroundListener<T: Sendable>: PaginatorFetchAroundListener<T>, @unchecked Sendable {
    private let listener: PaginatorFetchAroundListener<T>
    private let end: @Sendable (ScriptedPaginator<T>.Outcome) -> Void

    init(
        _ listener: PaginatorFetchAroundListener<T>, _ end: @escaping @Sendable (ScriptedPaginator<T>.Outcome) -> Void
    ) {
        self.listener = listener
        self.end = end
        super.init()
        takesPreviews = listener.takesPreviews
    }

    override var wantsMain: Bool { listener.wantsMain }

    override func fetchAroundDidPreview(_ page: FetchedPage<T>) { listener.fetchAroundDidPreview(page) }

    override func fetchAroundDidDeliver(_ page: FetchedPage<T>, at distance: Int) {
        listener.fetchAroundDidDeliver(page, at: distance)
    }

    override func fetchAroundDidFail(_ error: PaginatorError, at distance: Int) {
        listener.fetchAroundDidFail(error, at: distance)
    }

    override func fetchAroundDidEnd(_ result: Result<AroundSummary, PaginatorError>) {
        switch result {
        case .success(let summary): end(.around(summary))
        case .failure(let error): end(.failed(error))
        }
        listener.fetchAroundDidEnd(result)
    }
}
