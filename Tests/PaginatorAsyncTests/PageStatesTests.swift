import PaginatorAsync
import PaginatorCore
import PaginatorTesting
import Testing

@Suite struct PageStatesTests {
    @Test func `tells nothing, loading, loaded, and gone`() async throws {
        let world = AsyncWorld(pages: nil)
        let paginator = world.paginator
        var states = paginator.states(key: "0", pageSize: 10).makeAsyncIterator()
        guard case .some(.none) = await states.next() else {
            Issue.record("something is known of the page")
            return
        }
        let load = Task { try await paginator.fetch(key: "0", pageSize: 10) }
        let call = try await world.source.waitForCalls(1)[0]
        guard case .loading(previous: nil) = await states.next() ?? nil else {
            Issue.record("not loading")
            return
        }
        world.source.answer(call, with: .success(PaginatorPage(content: [], key: "0")))
        let page = try await load.value.page
        var latest = await states.next() ?? nil
        while case .loading = latest { latest = await states.next() ?? nil }
        #expect(latest?.page === page)
        try await paginator.clearAllAndWait()
        while latest != nil { latest = await states.next() ?? nil }
    }

    @Test func `ends in a cancelled task, also while it waits`() async throws {
        let paginator = AsyncWorld(pages: nil).paginator
        let told = Handshake(0)
        let task = Task {
            for await _ in paginator.states(key: "0", pageSize: 10) { told.update { $0 += 1 } }
        }
        try await told.wait { $0 == 1 }
        task.cancel()
        await task.value
        #expect(told.read { $0 } == 1)
    }

    @Test func `ends the observation of somebody else's paginator`() async {
        let paginator = ObservedPaginator(AsyncWorld(pages: nil).paginator)
        func observe() async {
            var states = paginator.states(key: "0", pageSize: 10).makeAsyncIterator()
            _ = await states.next()
            #expect(paginator.cancels == 0)
        }
        await observe()
        #expect(paginator.cancels == 1)
    }

    @Test func `ends with the paginator, and does not hold it`() async throws {
        var paginator: CallbackPaginator<SampleItem>? = AsyncWorld(pages: nil).paginator
        let told = Handshake(0)
        let states = try #require(paginator).states(key: "0", pageSize: 10)
        let task = Task { for await _ in states { told.update { $0 += 1 } } }
        try await told.wait { $0 == 1 }
        paginator = nil
        await task.value
        var after = states.makeAsyncIterator()
        if case .some = await after.next() { Issue.record("a state without a paginator") }
    }
}

/// Somebody else's paginator, which counts how often an observation is cancelled.
private final class ObservedPaginator: Paginator {
    let base: CallbackPaginator<SampleItem>
    private let counted = Guarded(0)

    init(_ base: CallbackPaginator<SampleItem>) {
        self.base = base
    }

    var cancels: Int { counted.withLock { $0 } }

    func fetch(_ request: PageRequest, listener: PaginatorFetchListener<SampleItem>) -> PaginatorExecution {
        base.fetch(request, listener: listener)
    }

    func fetchAround(
        _ request: AroundRequest, listener: PaginatorFetchAroundListener<SampleItem>
    ) -> PaginatorExecution {
        base.fetchAround(request, listener: listener)
    }

    func refresh(_ request: PageRequest, listener: PaginatorFetchListener<SampleItem>?) -> PaginatorExecution {
        base.refresh(request, listener: listener)
    }

    func observe(
        _ identity: PageIdentity, onChange: @escaping @Sendable (PaginatorPageResult<SampleItem>?) -> Void
    ) -> PaginatorExecution {
        let observation = base.observe(identity, onChange: onChange)
        return .custom { [counted] in
            counted.withLock { $0 += 1 }
            return observation.cancel()
        }
    }
}
