import PaginatorCore
import PaginatorLists
import Testing

@testable import PaginatorTesting

/// A driver over a list over a server that takes its time, in virtual time.
private struct Stage {
    let clock = ManualPaginatorClock()
    let executor = SimulatedExecutor()
    let server: SampleServer
    let plan = FaultPlan(then: .latency(.milliseconds(200)))
    let source: ScriptedDataSource<SampleItem>
    let list: PaginatorList<SampleItem, Int>
    let driver: ScrollDriver<SampleItem, Int>

    init(
        count: Int = 100, style: SamplePages.Style = .offset,
        _ configure: (inout PaginatorListConfig) -> Void = { _ in }
    ) {
        server = SampleServer(SamplePages(count: count, style: style))
        source = ScriptedDataSource(recording: server.faulty(plan, clock: clock))
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: clock)
        config.maxAttempts = 1
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        configure(&listConfig)
        list = PaginatorList(CallbackPaginator(dataSource: source, config: config), config: listConfig)
        driver = ScrollDriver(list, screenSize: 8, clock: clock, executor: executor)
    }
}

@Suite struct ScrollDriverTests {
    @Test(arguments: SamplePages.Style.allCases)
    func `scrolls to a position, loading what is on the way`(_ style: SamplePages.Style) {
        let stage = Stage(style: style)
        #expect(stage.driver.screen.isEmpty)
        #expect(stage.driver.refresh().map(\.id) == Array(0..<8))
        #expect(stage.driver.scroll(to: 40).map(\.id) == Array(40..<48))
        #expect(stage.driver.top == 40)
        #expect(stage.list.snapshot.count < 100)
        #expect(stage.driver.scroll(by: -15).map(\.id) == Array(25..<33))
        #expect(Set(stage.source.keys).count == stage.source.keys.count)
        #expect(!stage.driver.isLoading)
    }

    @Test func `ends where the list ends, at both ends`() {
        let stage = Stage(count: 33)
        stage.driver.append { $0.isEmpty }
        #expect(stage.driver.scroll(to: 500).map(\.id) == Array(25..<33))
        #expect(stage.driver.top == 25)
        #expect(stage.driver.scroll(by: -500).map(\.id) == Array(0..<8))
        let empty = Stage(count: 0)
        #expect(empty.driver.scroll(to: 10).isEmpty)
        let short = Stage(count: 3)
        #expect(short.driver.scroll(to: 10).map(\.id) == [0, 1, 2])
    }

    @Test func `the greatest numbers lead to the ends of the list`() {
        let stage = Stage()
        stage.driver.scroll(to: 10)
        #expect(stage.driver.scroll(by: .max).map(\.id) == Array(92..<100))
        #expect(stage.driver.scroll(by: .min).map(\.id) == Array(0..<8))
        #expect(stage.driver.scroll(to: .max).map(\.id) == Array(92..<100))
        #expect(stage.driver.fling(to: .min).map(\.id) == Array(0..<8))
        let tall = ScrollDriver(stage.list, screenSize: .max, clock: stage.clock, executor: stage.executor)
        for position in [10, Int.max, .min] { #expect(tall.scroll(to: position).map(\.id) == Array(0..<100)) }
        #expect(tall.fling(to: 10).count == 100)
    }

    @Test func `a fling goes as far as is loaded, and settles`() {
        let stage = Stage()
        stage.driver.append { $0.count < 30 }
        let screen = stage.driver.fling(to: 90)
        #expect(screen.count == 8)
        #expect(screen.map(\.id) == Array(stage.driver.top..<(stage.driver.top + 8)))
        // It outruns a server that takes 200 ms a page.
        #expect((22..<60).contains(stage.driver.top))
        #expect(!stage.driver.isLoading)
        #expect(stage.driver.fling(to: 0).map(\.id) == Array(0..<8))
    }

    @Test func `appends and prepends while told to`() {
        let stage = Stage {
            $0.initialKey = "50"
            $0.prefetchDistance = 0
        }
        #expect(stage.driver.append { $0.count < 20 }.map(\.id) == Array(50..<70))
        stage.driver.scroll(to: 5)
        let before = stage.driver.screen
        #expect(stage.driver.prepend { $0.count < 40 }.map(\.id) == Array(30..<70))
        #expect(stage.driver.screen == before)
        #expect(stage.driver.append { _ in true }.map(\.id) == Array(30..<100))
    }

    @Test func `what loads above on the way shifts the screen with its items`() {
        let stage = Stage { $0.initialKey = "50" }
        stage.driver.append { $0.count < 20 }
        #expect(stage.driver.scroll(to: 5).map(\.id) == Array(55..<63))
        #expect(stage.driver.top > 5)
        stage.driver.scroll(to: 0)
        #expect(stage.driver.scroll(to: 0).count == 8)
    }

    @Test func `a refresh shows new rows at the top, and keeps the place further down`() {
        let stage = Stage()
        stage.driver.refresh()
        stage.server.change { $0.insert(2) }
        #expect(stage.driver.refresh().map(\.id) == [100, 101, 0, 1, 2, 3, 4, 5])
        stage.driver.scroll(to: 6)
        let first = stage.driver.screen.first
        stage.server.change { $0.insert(3) }
        #expect(stage.driver.refresh(.all).first == first)
    }

    @Test func `items stay when loads fail, and come after a retry`() {
        let stage = Stage()
        stage.driver.refresh()
        stage.plan.always(.failure())
        stage.driver.scroll(to: 60)
        #expect(stage.list.status.next.error != nil)
        let loaded = stage.list.snapshot.count
        #expect(stage.driver.screen.map(\.id) == Array((loaded - 8)..<loaded))
        stage.plan.heal()
        stage.driver.retry()
        #expect(stage.list.snapshot.count > loaded)
        #expect(stage.driver.scroll(to: 60).map(\.id) == Array(60..<68))
    }

    @Test func `gives up on a source that never answers, when nothing more can come`() {
        let stage = Stage()
        stage.plan.always(.hang)
        let began = stage.clock.now
        #expect(stage.driver.refresh().isEmpty)
        #expect(began.duration(to: stage.clock.now) <= .seconds(120))
        #expect(stage.list.status.refresh.error?.code == .timedOut)
    }

    @Test func `empty and short pages do not stop it`() {
        let stage = Stage()
        stage.server.change { $0.shortPages = ["10": 0, "20": 0, "30": 4] }
        let ids = stage.driver.append { _ in true }.map(\.id)
        #expect(ids == Array(0..<10) + Array(30..<34) + Array(40..<100))
    }

    @Test @MainActor func `callbacks for the main actor run where the driver runs`() {
        let stage = Stage()
        let model = Model(stage.list)
        stage.driver.refresh()
        stage.driver.scroll(to: 20)
        #expect(model.count == stage.list.snapshot.count)
        #expect(model.count >= 28)
    }

    @MainActor private final class Model {
        private(set) var count = 0

        init(_ list: PaginatorList<SampleItem, Int>) {
            list.observe(onMain: { [weak self] update in self?.count = update.snapshot.count })
        }
    }
}
