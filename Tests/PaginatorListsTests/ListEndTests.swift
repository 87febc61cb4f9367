import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// The end of a list that was told by a page which stands in for a newer one.
@Suite struct ListEndTests {
    /// A list whose last page is an old one, because the source failed; there is more at the source by now.
    private func stage() -> (stage: ListStage, list: PaginatorList<SampleItem, Int>) {
        let stage = ListStage(count: 15, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.paginator.invalidate(.key("10"))
        stage.table.pages.insert(20, at: 15)
        let list = stage.makeOtherList()
        list.loadNext()
        stage.settle()
        stage.source.script([.fail(.retry(ListTrouble())).insideFetch], forKey: "10")
        list.loadNext()
        stage.settle()
        _ = stage.newKeys()
        return (stage, list)
    }

    @Test func `an end that only an old page tells of is none`() {
        let (stage, list) = stage()
        #expect(list.snapshot.map(\.id) == Array(0..<15))
        #expect(list.status.next != .endReached)
        #expect(list.status.staleError != nil)
        for _ in 0..<3 {
            list.loadNext()
            stage.settle()
        }
        #expect(list.snapshot.map(\.id) == Array(0..<35))
        #expect(list.status.staleError == nil)
        list.loadNext()
        stage.settle()
        #expect(list.status.next == .endReached)
    }

    @Test func `loading all waits for it where rows have moved it to another key`() {
        let stage = ListStage(count: 15, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.paginator.invalidate(.key("10"))
        stage.table.pages.insert(20, at: 15)
        let list = stage.makeOtherList { $0.addressing = .offset }
        list.loadNext()
        stage.settle()
        stage.source.script([.fail(.retry(ListTrouble())).insideFetch], forKey: "10")
        list.loadNext()
        stage.settle()
        #expect(list.snapshot.map(\.id) == Array(0..<15) && list.status.staleError != nil)
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.insert(1)
        list.insertLive([stage.table.pages.items[0]])
        stage.settle()
        let ends = Guarded<[PaginatorError?]>([])
        list.loadAll { error in ends.withLock { $0.append(error) } }
        stage.settle()
        #expect(ends.withLock { $0.count == 1 && $0[0] == nil })
        #expect(list.snapshot.map(\.id) == stage.firstRows(36))
    }

    @Test func `loading all ends with the error of an old last page, and the next call goes on`() {
        let stage = ListStage(count: 15, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.paginator.invalidate(.key("10"))
        stage.table.pages.insert(20, at: 15)
        let list = stage.makeOtherList()
        stage.source.script([.fail(.retry(ListTrouble())).insideFetch], forKey: "10")
        _ = stage.newKeys()
        let ends = Guarded<[PaginatorError.Code?]>([])
        list.loadAll { error in ends.withLock { $0.append(error?.code) } }
        stage.settle()
        #expect(ends.withLock { $0 } == [.sourceFailed] && stage.newKeys() == ["10"])
        #expect(list.snapshot.map(\.id) == Array(0..<15))
        list.loadAll { error in ends.withLock { $0.append(error?.code) } }
        stage.settle()
        #expect(ends.withLock { $0 } == [.sourceFailed, nil])
        #expect(list.snapshot.map(\.id) == Array(0..<35))
    }

    @Test func `hints do not ask for it again and again`() {
        let (stage, list) = stage()
        list.setPrefetchDistance(5)
        stage.source.otherwise { _ in .fail(.retry(ListTrouble())).insideFetch }
        for number in 0..<100 {
            list.hint(visible: number % 10 + 2..<15)
            stage.settle()
        }
        #expect(stage.newKeys().count < 10)
    }

    @Test func `a view that sees it is told of the failure, so that it does not load it again at once`() {
        let (stage, list) = stage()
        #expect(list.status.next == .idle)
        list.setPrefetchDistance(0)
        list.hint(visible: 10..<15)
        stage.settle()
        #expect(stage.newKeys() == [] && list.status.next.error?.code == .sourceFailed)
        list.retry()
        stage.settle()
        #expect(list.snapshot.map(\.id) == Array(0..<20) && list.status.next == .idle)
    }

    @Test func `a mediator whose remote source was away goes on when it is back`() {
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock, seed: 1)
        config.maxAttempts = 1
        let local = SampleServer(SamplePages(count: 15))
        let remote = ScriptedDataSource<SampleItem>(clock: clock, executor: executor)
        remote.otherwise { _ in .fail(.retry(ListTrouble())) }
        let mediator = MediatorDataSource(local: local, remote: remote, servesLocalOnFailure: true) {
            _, _, _, completion in
            local.change { $0.insert(20, at: $0.items.count) }
            completion(.success(()))
        }
        let paginator = CallbackPaginator(dataSource: mediator, config: config)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        listConfig.prefetchDistance = 0
        let list = PaginatorList(paginator, id: \.id, config: listConfig)
        func loadNext() {
            list.loadNext()
            while executor.runOne(choose: { _ in 0 }) {}
        }
        for _ in 0..<4 { loadNext() }
        #expect(list.snapshot.map(\.id) == Array(0..<15))
        #expect(list.status.next != .endReached)
        remote.otherwise { request in .page(PaginatorPage(content: [], key: request.key)) }
        for _ in 0..<3 { loadNext() }
        #expect(list.snapshot.map(\.id) == Array(0..<35))
    }
}
