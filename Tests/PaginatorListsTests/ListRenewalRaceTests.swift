import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What comes to a list while it waits for something else.
@Suite struct ListRenewalRaceTests {
    private func texts(_ stage: ListStage) -> [String] { stage.list.snapshot.map(\.text) }

    private func put(_ stage: ListStage) throws {
        try stage.paginator.prime(stage.page("0", [0, 1], next: "2", text: "put"), pageSize: 2)
        stage.settle()
    }

    private func answer(_ stage: ListStage, _ result: Result<PaginatorPage<SampleItem>, SourceError>) throws {
        let call = try #require(stage.source.pendingCalls.last)
        stage.source.answer(call, with: result)
        stage.settle()
    }

    @Test func `a page put while its first load runs is not hidden by the older answer`() throws {
        let stage = ListStage(pageSize: 2)
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        try put(stage)
        try answer(stage, .success(stage.page("0", [0, 1], next: "2", text: "old")))
        #expect(texts(stage) == ["put", "put"])
    }

    @Test func `a page put while its refresh runs is not hidden by the older answer`() throws {
        let stage = ListStage(pageSize: 2)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(.firstPage) }
        try put(stage)
        try answer(stage, .success(stage.page("0", [0, 1], next: "2", text: "old")))
        #expect(texts(stage) == ["put", "put"])
    }

    @Test func `a page put while its refresh runs is shown when that fails`() throws {
        let stage = ListStage(pageSize: 2)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(.firstPage) }
        try put(stage)
        try answer(stage, .failure(.fatal(ListTrouble())))
        #expect(texts(stage) == ["put", "put"])
    }

    @Test func `a page put while its refresh runs is shown when the refresh is cancelled`() throws {
        let stage = ListStage(pageSize: 2)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(.firstPage) }
        try put(stage)
        stage.after { $0.cancelLoads() }
        #expect(texts(stage) == ["put", "put"])
    }

    @Test(arguments: [PaginatorConditions.lowPower, .background, .weakLink])
    func `what somebody asks for right after a hint is loaded under bad conditions`(_ conditions: PaginatorConditions) {
        let stage = ListStage(pageSize: 10, connectivity: ScriptedConnectivity(conditions)) { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        stage.after { list in
            list.hint(visible: 4..<9)
            list.loadNext()
        }
        #expect(stage.list.status.next.error == nil)
        #expect(stage.ids == Array(0..<20))
    }

    @Test func `a mediator whose remote source is away is not asked again and again by hints`() {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock, seed: 1)
        config.maxAttempts = 1
        let local = SampleServer(SamplePages(count: 15))
        let remote = ScriptedDataSource<SampleItem>(clock: clock, executor: executor)
        remote.otherwise { _ in .fail(.fatal(ListTrouble())) }
        let mediator = MediatorDataSource(local: local, remote: remote, servesLocalOnFailure: true) {
            _, _, _, completion in
            completion(.success(()))
        }
        let paginator = CallbackPaginator(dataSource: mediator, config: config)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        listConfig.prefetchDistance = 5
        let list = PaginatorList(paginator, id: \.id, config: listConfig)
        func settle() { while executor.runOne(choose: { _ in 0 }) {} }
        for _ in 0..<2 {
            list.loadNext()
            settle()
        }
        let before = remote.keys.count
        list.hint(visible: 10..<15)
        settle()
        #expect(remote.keys.count - before <= 1, "one hint")
        for number in 0..<100 {
            list.hint(visible: number % 10 + 2..<15)
            settle()
        }
        #expect(remote.keys.count - before < 10, "a hundred hints")
    }
}
