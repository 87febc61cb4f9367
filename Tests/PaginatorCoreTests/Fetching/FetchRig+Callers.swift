@testable import PaginatorCore
@testable import PaginatorTesting

/// One fetch and what came of it.
struct Caller {
    let listener: RecordingListener<SampleItem>
    let execution: PaginatorExecution

    var version: Int? { listener.page?.version }
    var origin: PageOrigin? { listener.fetched?.origin }
    var isStale: Bool? { listener.fetched?.isStale }
    var refreshError: PaginatorError.Code? { listener.fetched?.refreshError?.code }
    var code: PaginatorError.Code? { listener.error?.code }
    var previews: [Int?] { listener.previews.map(\.page.version) }
    /// The number of terminal callbacks.
    var ends: Int { listener.ends.count }
    /// Whether there was exactly one terminal callback, and nothing after it.
    var endedOnce: Bool { ends == 1 && listener.callbacksAfterEnd == 0 }
}

/// One fetch around a page and what came of it.
struct AroundCaller {
    let listener: RecordingAroundListener<SampleItem>
    let execution: PaginatorExecution

    var distances: [Int] { listener.distances }
    var endedOnce: Bool { listener.ends.count == 1 && listener.callbacksAfterEnd == 0 }

    var summary: AroundSummary? {
        if case .success(let summary)? = listener.ends.first { summary } else { nil }
    }

    var code: PaginatorError.Code? {
        if case .failure(let error)? = listener.ends.first { error.code } else { nil }
    }
}

extension FetchRig {
    /// Starts a fetch of a page of 10 items, and does nothing more.
    @discardableResult
    func start(
        _ key: String, pageSize: Int = 10, scope: String = "", priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil, timeout: Duration? = nil, debounce: DebounceKey? = nil, name: String = ""
    ) -> Caller {
        let request = PageRequest(
            key: key, pageSize: pageSize, scope: scope, priority: priority, policy: policy, timeout: timeout,
            debounce: debounce)
        let listener = RecordingListener<SampleItem>(name: name, journal: journal)
        return Caller(listener: listener, execution: paginator.fetch(request, listener: listener))
    }

    /// Fetches a page of 10 items, and does all that can be done.
    @discardableResult
    func fetch(
        _ key: String, pageSize: Int = 10, scope: String = "", priority: FetchPriority = .medium,
        policy: FetchPolicy? = nil, timeout: Duration? = nil, debounce: DebounceKey? = nil, name: String = ""
    ) -> Caller {
        let caller = start(
            key, pageSize: pageSize, scope: scope, priority: priority, policy: policy, timeout: timeout,
            debounce: debounce,
            name: name)
        run()
        return caller
    }

    @discardableResult
    func refresh(_ key: String, name: String = "") -> Caller {
        let listener = RecordingListener<SampleItem>(name: name, journal: journal)
        let execution = paginator.refresh(PageRequest(key: key, pageSize: 10), listener: listener)
        run()
        return Caller(listener: listener, execution: execution)
    }

    @discardableResult
    func fetchAround(
        _ key: String, depth: Int, direction: PageFetchDirection = .all, policy: FetchPolicy? = nil, name: String = ""
    ) -> AroundCaller {
        let listener = RecordingAroundListener<SampleItem>(name: name, journal: journal)
        let request = AroundRequest(
            page: PageRequest(key: key, pageSize: 10, policy: policy), depthLevel: depth, direction: direction)
        let execution = paginator.fetchAround(request, listener: listener)
        run()
        return AroundCaller(listener: listener, execution: execution)
    }
}
