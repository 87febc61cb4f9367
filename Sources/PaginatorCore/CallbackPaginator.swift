/// A paginator that fetches, caches and schedules pages, and answers by callback.
///
/// ```swift
/// let paginator = CallbackPaginator(dataSource: posts)
/// paginator.fetch(key: posts.firstKey, pageSize: 30) { result in
///     switch result {
///     case .success(let fetched): show(fetched.page.content)
///     case .failure(let error): show(error)
///     }
/// }
/// ```
///
/// Every method may be called from any thread, also from a callback, and returns at once. Callbacks run on
/// ``PaginatorConfig/dispatchQueue``, one at a time, in order, and never inside a call. Releasing the paginator answers
/// all waiters with ``PaginatorError/Code/released``.
public final class CallbackPaginator<T: Sendable>: Paginator {
    /// The paginator itself.
    public var base: CallbackPaginator { self }
    package let engine: FetchEngine
    let editBoard: EditBoard<T>

    /// Creates a paginator.
    ///
    /// - Parameters:
    ///   - dataSource: the source of pages.
    ///   - validator: judges fetched pages before they are cached and cached pages before they are used; by default it
    ///     accepts every page. An expired page is stale whatever the validator says.
    ///   - store: keeps pages on disk; `nil`, the default, keeps them in memory only.
    ///   - config: the configuration.
    public init(
        dataSource: some PaginatorDataSource<T>, validator: AnyPageValidator<T> = .acceptAll,
        store: (any PaginatorStore<T>)? = nil, config: PaginatorConfig = DefaultPaginatorConfig()
    ) {
        let operations = PageOperations(
            source: dataSource, validator: validator, store: store, clock: config.clock)
        engine = FetchEngine(operations: operations, config: config)
        editBoard = EditBoard(engine)
    }

    /// Creates a paginator with a validator of your own type; otherwise like the other initializer.
    public convenience init(
        dataSource: some PaginatorDataSource<T>, validator: some PageValidator<T>,
        store: (any PaginatorStore<T>)? = nil, config: PaginatorConfig = DefaultPaginatorConfig()
    ) {
        self.init(
            dataSource: dataSource, validator: AnyPageValidator(validator), store: store, config: config)
    }

    deinit {
        engine.release()
    }

    /// Fetches one page; see ``Paginator/fetch(_:listener:)``.
    ///
    /// Complexity: O(1) for a page in memory.
    @discardableResult
    public func fetch(_ request: PageRequest, listener: PaginatorFetchListener<T>) -> PaginatorExecution {
        let ticket = engine.makeTicket(listener)
        engine.fetch(request, for: ticket)
        return ticket
    }

    /// Fetches a page and then its neighbors; see ``Paginator/fetchAround(_:listener:)``.
    @discardableResult
    public func fetchAround(
        _ request: AroundRequest, listener: PaginatorFetchAroundListener<T>
    ) -> PaginatorExecution {
        let ticket = engine.makeTicket(listener)
        engine.fetchAround(request, for: ticket)
        return ticket
    }

    /// Loads a page again; see ``Paginator/refresh(_:listener:)``. Without a listener, the answer is not delivered.
    @discardableResult
    public func refresh(_ request: PageRequest, listener: PaginatorFetchListener<T>? = nil) -> PaginatorExecution {
        let ticket = listener.map { engine.makeTicket($0) } ?? engine.makeTicket(nil)
        engine.refresh(request, for: ticket)
        return ticket
    }
}
