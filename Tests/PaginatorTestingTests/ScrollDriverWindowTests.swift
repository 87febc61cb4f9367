import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@Suite struct ScrollDriverWindowTests {
    @Test(arguments: SamplePages.Style.allCases, [20, 30, 40])
    func `scrolling by less than a screen shows every row, whatever the window drops`(
        _ style: SamplePages.Style, _ window: Int
    ) {
        let (clock, executor) = (ManualPaginatorClock(), SimulatedExecutor())
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        listConfig.windowItems = window
        listConfig.prefetchDistance = 5
        let server = SampleServer(SamplePages(count: 80, style: style))
        let list = PaginatorList(CallbackPaginator(dataSource: server, config: config), config: listConfig)
        let driver = ScrollDriver(list, screenSize: 8, clock: clock, executor: executor)
        var seen: [Int] = driver.refresh().map(\.id)
        for _ in 0..<30 {
            for id in driver.scroll(by: 7).map(\.id) where !seen.contains(id) { seen.append(id) }
        }
        #expect(seen == Array(0..<80))
    }
}
