import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

/// What every paginator promises, asked of a real one, of each double, and of one that somebody else wraps around another.
@Suite struct PaginatorFaceTests {
    enum Kind: CaseIterable { case real, scripted, recording, expecting, wrapped }

    private let clock = ManualPaginatorClock()
    private let executor = SimulatedExecutor()
    private let failures = FailureList()
    private let server = SampleServer(SamplePages(count: 95))

    private func make(_ kind: Kind) -> any Paginator<SampleItem> {
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        let real = CallbackPaginator(dataSource: server, config: config)
        switch kind {
        case .real: return real
        case .recording: return ScriptedPaginator(recording: real)
        case .wrapped: return Wrapper(real)
        case .scripted:
            return ScriptedPaginator(clock: clock, executor: executor) { [server] in
                .result(server.pages.answer(to: $0))
            }
        case .expecting:
            let paginator = ScriptedPaginator<SampleItem>(
                clock: clock, executor: executor, unexpected: failures.report, allows: { _ in true })
            for _ in 0..<2 {
                for key in stride(from: 0, to: 95, by: 10).map(String.init) {
                    if let page = server.pages.page(key: key, pageSize: 10) {
                        paginator.script([.page(page)], forKey: key)
                    }
                }
            }
            return paginator
        }
    }

    private func fetch(
        _ key: String, from paginator: some Paginator<SampleItem>, _ policy: FetchPolicy? = nil
    ) -> RecordingListener<SampleItem> {
        let listener = RecordingListener<SampleItem>()
        executor.immediately {
            _ = paginator.fetch(PageRequest(key: key, pageSize: 10, policy: policy), listener: listener)
        }
        return listener
    }

    @Test(arguments: Kind.allCases)
    func `a page is fetched once, is answered from memory then, and is gone after a clear`(_ kind: Kind) {
        let paginator = make(kind)
        #expect(fetch("10", from: paginator).fetched?.origin == .source)
        #expect(fetch("10", from: paginator).fetched?.origin == .memory)
        #expect(paginator.peek(key: "10", pageSize: 10)?.content.count == 10)
        let cleared = Guarded(0)
        executor.immediately {
            paginator.clear(.key("10")) { result in
                if case .success = result { cleared.withLock { $0 += 1 } }
            }
            #expect(cleared.withLock { $0 } == 0)
        }
        #expect(cleared.withLock { $0 } == 1)
        #expect(paginator.peek(key: "10", pageSize: 10) == nil)
        #expect(fetch("10", from: paginator, .cacheOnly).error?.code == .notInCache)
        #expect(failures.all.isEmpty)
    }

    @Test(arguments: Kind.allCases)
    func `a fetch around brings the neighbors, and a cancelled one ends as such`(_ kind: Kind) {
        let paginator = make(kind)
        let around = RecordingAroundListener<SampleItem>()
        executor.immediately { _ = paginator.fetchAround(key: "50", pageSize: 10, depthLevel: 1, listener: around) }
        #expect(around.distances == [0, 1, -1])
        let cancelled = RecordingAroundListener<SampleItem>()
        executor.immediately {
            _ = paginator.fetchAround(key: "0", pageSize: 10, depthLevel: 1, listener: cancelled).cancel()
        }
        guard case .failure(let error)? = cancelled.ends.first else { Issue.record("not cancelled"); return }
        #expect(error.code == .cancelled && cancelled.ends.count == 1)
    }

    @Test(arguments: Kind.allCases)
    func `a refresh asks the source again, and pages that are stale are renewed`(_ kind: Kind) {
        let paginator = make(kind)
        _ = fetch("0", from: paginator)
        let refreshed = RecordingListener<SampleItem>()
        executor.immediately { _ = paginator.refresh(PageRequest(key: "0", pageSize: 10), listener: refreshed) }
        #expect(refreshed.fetched?.origin == .source)
        _ = fetch("10", from: paginator)
        executor.immediately { paginator.invalidate(.key("10")) }
        #expect(paginator.peek(key: "10", pageSize: 10)?.isStale == true)
        #expect(fetch("10", from: paginator).fetched?.origin == .source)
    }

    @Test(arguments: Kind.allCases)
    func `a primed page is there at once, goes stale by its tag, and a bad one is refused`(_ kind: Kind) throws {
        let paginator = make(kind)
        let page = PaginatorPage(content: [SampleItem(id: 7, text: "seven")], key: "pushed", tags: ["posts"])
        try paginator.prime(page, pageSize: 10)
        #expect(paginator.peek(key: "pushed", pageSize: 10)?.isStale == false)
        paginator.invalidate(tags: ["posts"])
        #expect(paginator.peek(key: "pushed", pageSize: 10)?.isStale == true)
        try paginator.prime(page, pageSize: 10, scope: "other")
        #expect(paginator.peek(key: "pushed", pageSize: 10, scope: "other") != nil)
        paginator.clear(scope: "other")
        #expect(paginator.peek(key: "pushed", pageSize: 10, scope: "other") == nil)
        #expect(throws: PaginatorError.self) { try paginator.prime(page, pageSize: 0) }
    }

    @Test(arguments: Kind.allCases)
    func `a prefetch tells what came and what was fresh, on the main queue too`(_ kind: Kind) {
        let paginator = make(kind)
        _ = fetch("0", from: paginator)
        let summaries = Guarded<[PrefetchSummary]>([])
        let request = PrefetchRequest(from: "0", pages: 3, pageSize: 10)
        executor.immediately { paginator.prefetch(request) { summary in summaries.withLock { $0.append(summary) } } }
        let summary = summaries.withLock { $0.first }
        #expect(summary?.fresh.map(\.key) == ["0"] && summary?.loaded.map(\.key) == ["10", "20"])
        executor.immediately { _ = paginator.prefetch(keys: ["30"], pageSize: 10) }
        #expect(paginator.peek(key: "30", pageSize: 10) != nil)
        executor.immediately {
            paginator.prefetch(request) { summary in summaries.withLock { $0.append(summary) } }.cancel()
        }
        #expect(summaries.withLock { $0.count } == 2)
    }

    @Test(arguments: Kind.allCases)
    func `an observer is told the state of a page and its changes`(_ kind: Kind) {
        let paginator = make(kind)
        let told = Guarded<[String]>([])
        var observation: PaginatorExecution?
        executor.immediately {
            observation = paginator.observe(key: "0", pageSize: 10) { state in
                let text =
                    switch state {
                    case nil: "nothing"
                    case .success: "page"
                    case .loading: "loading"
                    case .error: "error"
                    }
                told.withLock { $0.append(text) }
            }
        }
        _ = fetch("0", from: paginator)
        if case .success? = paginator.state(of: PageIdentity(key: "0", pageSize: 10)) {
        } else {
            Issue.record("no state")
        }
        executor.immediately { paginator.clearAll() }
        let all = told.withLock { $0 }
        #expect(all.first == "nothing" && all.contains("page") && all.last == "nothing")
        executor.immediately { _ = observation?.cancel() }
        _ = fetch("0", from: paginator)
        #expect(told.withLock { $0 } == all)
    }

    @Test(arguments: Kind.allCases)
    func `a list loads from it, and edits show in the list and in memory`(_ kind: Kind) {
        let paginator = make(kind)
        var config = PaginatorListConfig()
        config.pageSize = 10
        let list = PaginatorList(paginator, config: config)
        executor.immediately { list.loadNext() }
        executor.immediately { list.loadNext() }
        #expect(list.snapshot.map(\.id) == Array(0..<20))
        executor.immediately { list.edits.update(3) { SampleItem(id: $0.id, text: "edited") } }
        #expect(list.snapshot.map(\.text)[3] == "edited")
        #expect(paginator.peek(key: "0", pageSize: 10)?.content[3].text == "edited")
        executor.immediately { paginator.edits(id: \.id).remove(4) }
        #expect(list.snapshot.count == 19)
        #expect(failures.all.isEmpty)
    }

    @Test(arguments: Kind.allCases)
    func `a list keeps its paginator alive, and lets it go`(_ kind: Kind) {
        var paginator: (any Paginator<SampleItem>)? = make(kind)
        weak let kept = paginator
        var list = paginator.map { PaginatorList($0, id: \.id) }
        paginator = nil
        executor.runAll()
        #expect(kept != nil)
        executor.immediately { list?.loadNext() }
        #expect(list?.snapshot.count == 30 || kind == .expecting)
        list = nil
        executor.runAll()
        #expect(kept == nil)
    }
}

/// Somebody's own, with what it cannot leave out.
private final class Wrapper<T: Sendable>: Paginator {
    private let wrapped: any Paginator<T>

    init(_ wrapped: any Paginator<T>) { self.wrapped = wrapped }

    var base: CallbackPaginator<T> { wrapped.base }

    func fetch(_ request: PageRequest, listener: PaginatorFetchListener<T>) -> PaginatorExecution {
        wrapped.fetch(request, listener: listener)
    }

    func fetchAround(_ request: AroundRequest, listener: PaginatorFetchAroundListener<T>) -> PaginatorExecution {
        wrapped.fetchAround(request, listener: listener)
    }

    func refresh(_ request: PageRequest, listener: PaginatorFetchListener<T>?) -> PaginatorExecution {
        wrapped.refresh(request, listener: listener)
    }
}
