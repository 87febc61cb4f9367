import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists that are gone, while their paginator lives on.
@Suite struct ReleasedListTests {
    @Test func `a list that is gone keeps no page that its paginator loads later`() {
        let executor = SimulatedExecutor()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        config.inMemoryEvictionStrategy = .lru(maxPages: 1)
        let items = (0..<40).map { SampleItem(id: $0, text: "") }
        let paginator = CallbackPaginator(dataSource: ArrayDataSource(items), config: config)
        func show() {
            var config = PaginatorListConfig()
            config.pageSize = 10
            config.prefetchDistance = 0
            let list = PaginatorList(paginator, id: \.id, config: config)
            list.loadNext()
            executor.runAll()
            #expect(list.snapshot.map(\.id) == Array(0..<10))
        }
        func load(_ key: String) {
            paginator.fetch(key: key, pageSize: 10) { _ in }
            executor.runAll()
        }
        show()
        executor.runAll()
        load("20")
        weak var page: PaginatorPage<SampleItem>?
        page = paginator.peek(key: "20", pageSize: 10)?.page
        #expect(page != nil)
        // Memory has one page at most.
        load("30")
        #expect(page == nil)
    }
}
