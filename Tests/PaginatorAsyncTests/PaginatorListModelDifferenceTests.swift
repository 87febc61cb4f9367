import Observation
import PaginatorAsync
import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

/// What a view that goes by differences shows is what the model has.
@MainActor @Suite struct PaginatorListModelDifferenceTests {
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `the first difference leads from the items that the model began with`() {
        let executor = SimulatedExecutor()
        let pages = SamplePages(count: 100)
        let source = ScriptedDataSource<SampleItem>(otherwise: { .result(pages.answer(to: $0)).insideFetch })
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        let paginator = CallbackPaginator(dataSource: source, config: config)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        listConfig.prefetchDistance = 0
        let list = PaginatorList<SampleItem, Int>(paginator, config: listConfig)
        list.loadNext()
        executor.runAll()

        let model = PaginatorListModel(list)
        var view = Array(model.items)
        #expect(view.count == 10)
        executor.runAll()
        model.difference.apply(to: &view)
        #expect(view == Array(model.items))

        list.loadNext()
        executor.runAll()
        model.difference.apply(to: &view)
        #expect(view.map(\.id) == Array(0..<20))

        // What changed between the two is in the first difference.
        let other = PaginatorListModel(list)
        var otherView = Array(other.items)
        list.edits.remove(3)
        list.insertLive([SampleItem(id: 100, text: "live")])
        executor.runAll()
        other.difference.apply(to: &otherView)
        #expect(otherView == Array(other.items))
        #expect(otherView.map(\.id) == [100, 0, 1, 2] + Array(4..<20))
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Test func `a view of the items alone is not told that somebody scrolled`() {
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
            _ = model.items
        } onChange: {
            told.withLock { $0 += 1 }
        }
        list.hint(visible: 3..<6)
        executor.runAll()
        #expect(model.anchor == 3 && told.withLock { $0 } == 0)
        list.edits.remove(3)
        executor.runAll()
        #expect(told.withLock { $0 } == 1 && model.items.count == 9)
    }
}
