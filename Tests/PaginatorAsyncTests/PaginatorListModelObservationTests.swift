import Observation
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorAsync

@MainActor @Suite struct PaginatorListModelObservationTests {
    private struct Outage: Error {}

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `a view of the items and the status is not told that somebody scrolled`() {
        let executor = SimulatedExecutor()
        let pages = SamplePages(count: 100)
        let source = ScriptedDataSource<SampleItem>(otherwise: { .result(pages.answer(to: $0)).insideFetch })
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        listConfig.prefetchDistance = 0
        let list = PaginatorList<SampleItem, Int>(
            CallbackPaginator(dataSource: source, config: config), config: listConfig)
        let model = PaginatorListModel(list)
        list.loadNext()
        executor.runAll()
        let told = Guarded(0)
        withObservationTracking {
            _ = (model.items, model.status)
        } onChange: {
            told.withLock { $0 += 1 }
        }
        // By this a `PaginatorListObject` decides.
        let shown = model.shown
        list.hint(visible: 3..<6)
        executor.runAll()
        #expect(model.anchor == 3 && told.withLock { $0 } == 0)
        #expect(model.shown.count > shown.count && model.shown.update.map { shown.differs(from: $0) } == false)
        list.edits.remove(3)
        executor.runAll()
        #expect(told.withLock { $0 } == 1 && model.items.count == 9)
        #expect(model.shown.update.map { shown.differs(from: $0) } == true)
        let before = model.shown
        source.script([.fail(.fatal(Outage())).insideFetch])
        list.loadNext()
        executor.runAll()
        #expect(model.status.next.error != nil && model.items.isSame(as: before.items))
        #expect(model.shown.update.map { before.differs(from: $0) } == true)
    }
}
