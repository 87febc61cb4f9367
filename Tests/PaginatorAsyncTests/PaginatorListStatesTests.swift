import Observation
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@Suite struct PaginatorListStatesTests {
    @Test func `tells the present state and then the latest after changes`() async throws {
        let list = AsyncWorld().makeList()
        var states = list.states().makeAsyncIterator()
        #expect(await states.next()?.snapshot.isEmpty == true)
        list.loadNext()
        var latest = await states.next()
        while latest?.snapshot.count != 10 { latest = await states.next() }
        list.loadNext()
        while latest?.snapshot.count != 20 || latest?.status.next.isLoading == true { latest = await states.next() }
        #expect(latest?.snapshot.map(\.id) == Array(0..<20))
    }

    @Test func `the differences of the states that are taken lead from one to the next, also where some were missed`()
        async throws
    {
        let list = AsyncWorld().makeList()
        var states = list.states().makeAsyncIterator()
        var items: [SampleItem] = []
        var separation = PaginatorListSeparation<SampleItem, Int, Int> { before, after in
            (after?.id ?? 1) % 10 == 0 ? after?.id : nil
        }
        var rows: [PaginatorSeparatedRow<SampleItem, Int>] = []
        for count in [10, 20, 30, 40] {
            list.loadNext()
            // Several updates come before this task takes the next one.
            while list.snapshot.count < count || list.status.next.isLoading { await Task.yield() }
            repeat {
                let state = try #require(await states.next())
                state.difference.apply(to: &items)
                separation.apply(state).apply(to: &rows)
                #expect(items.map(\.id) == state.snapshot.map(\.id))
                #expect(rows.count == separation.snapshot.count)
            } while items.count < count
        }
        #expect(items.map(\.id) == Array(0..<40))
        #expect(rows.count == 44)
    }

    @Test func `the difference of a state leads from the one that the same copy of an iterator took before`()
        async throws
    {
        let executor = SimulatedExecutor()
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        let source = ScriptedDataSource<SampleItem>(otherwise: { _ in .hang })
        let list = PaginatorList<SampleItem, Int>(CallbackPaginator(dataSource: source, config: config))
        let page = PaginatorPage(content: SamplePages(count: 10).items, key: "0")
        source.script([SourceStep.page(page).insideFetch], forKey: "0")
        list.loadNext()
        executor.runAll()
        var iterators = [list.states().makeAsyncIterator()]
        executor.runAll()
        var items: [[SampleItem]] = [[]]
        try #require(await iterators[0].next()).difference.apply(to: &items[0])
        iterators.append(iterators[0])
        items.append(items[0])
        // By turns, so that each misses what the other took.
        for number in 0..<6 {
            list.insertLive([SampleItem(id: 100 + number, text: "")])
            if number > 3 { list.edits.remove(number) }
            executor.runAll()
            let state = try #require(await iterators[number % 2].next())
            state.difference.apply(to: &items[number % 2])
            #expect(items[number % 2] == Array(state.snapshot))
        }
    }

    @Test func `ends in a cancelled task, and with the list`() async throws {
        let world = AsyncWorld(pages: nil)
        let list = world.makeList()
        let told = Handshake(0)
        let cancelled = Task { for await _ in list.states() { told.update { $0 += 1 } } }
        try await told.wait { $0 == 1 }
        cancelled.cancel()
        await cancelled.value

        var shortLived: PaginatorList<SampleItem, Int>? = world.makeList()
        let states = try #require(shortLived).states()
        let task = Task { for await _ in states { told.update { $0 += 1 } } }
        try await told.wait { $0 == 2 }
        shortLived = nil
        await task.value
        #expect(told.read { $0 } == 2)
    }

    @Test func `a refresh that is waited for is over, or throws why it failed`() async throws {
        struct Broken: Error {}
        let world = AsyncWorld { $0.maxAttempts = 1 }
        let list = world.makeList()
        try await list.refreshAndWait()
        #expect(list.snapshot.count == 10)
        world.source.script([.fail(.fatal(Broken()))])
        let error = await caught { () async throws(PaginatorError) in try await list.refreshAndWait() }
        #expect(error?.code == .sourceFailed)
        #expect(list.snapshot.count == 10)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await caught { () async throws(PaginatorError) in try await list.refreshAndWait() }
        }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
    }
}

@MainActor @Suite struct PaginatorListModelTests {
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    private func makeModel(_ world: AsyncWorld, distance: Int = 0) -> PaginatorListModel<SampleItem, Int> {
        var config = PaginatorListConfig()
        config.pageSize = 10
        config.prefetchDistance = distance
        return PaginatorListModel(PaginatorList(world.paginator, config: config))
    }

    /// Waits until what is read of an observable object has the property.
    private func wait(until holds: @escaping @MainActor () -> Bool) async {
        while true {
            let done: Bool = await withCheckedContinuation { continuation in
                let isAnswered = OnceFlag()
                let held = withObservationTracking {
                    holds()
                } onChange: {
                    if isAnswered.take() { continuation.resume(returning: false) }
                }
                if held, isAnswered.take() { continuation.resume(returning: true) }
            }
            if done { return }
            await Task.yield()
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `follows its list, and observation tracks it`() async {
        let world = AsyncWorld()
        let model = makeModel(world)
        #expect(model.items.isEmpty)
        model.list.loadNext()
        await wait { model.items.count == 10 && model.status.hasLoaded }
        #expect(model.items.map(\.id) == Array(0..<10))
        #expect(model.status.hasLoaded)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `a row that appears near the end loads further`() async {
        let world = AsyncWorld()
        let model = makeModel(world, distance: 3)
        model.list.loadNext()
        await wait { model.items.count == 10 }
        model.list.hint(visible: 99)
        model.list.hint(visible: 9)
        await wait { model.items.count >= 20 }
        #expect(world.source.keys.prefix(2) == ["0", "10"])
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `an empty source is told from one that loads`() async throws {
        let world = AsyncWorld(pages: nil)
        let model = makeModel(world)
        model.list.loadNext()
        let call = try await world.source.waitForCalls(1)[0]
        await wait { model.status.refresh.isLoading && !model.status.hasLoaded }
        world.source.answer(call, with: .success(PaginatorPage(content: [], key: "0")))
        await wait { model.status.hasLoaded && !model.status.refresh.isLoading }
        #expect(model.items.isEmpty)
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test(.timeLimit(.minutes(1)))
    func `a released model ends its observation and lets go of its list`() async throws {
        let world = AsyncWorld()
        var model: PaginatorListModel<SampleItem, Int>? = makeModel(world)
        weak let list = model?.list
        weak let released = model
        model?.list.loadNext()
        await wait { model?.items.count == 10 }
        model = nil
        while list != nil || released != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
