import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What follows a refresh is as new as the refresh: no row of the server's table is lost on the way.
@Suite struct ListFreshnessTests {
    private func loadedStage(
        _ style: SamplePages.Style = .offset, store: ScriptedStore<SampleItem>? = nil, memoryPages: Int = 200,
        configure: (inout PaginatorListConfig) -> Void = { _ in }
    ) -> ListStage {
        let stage = ListStage(style: style, pageSize: 10, memoryPages: memoryPages, store: store, configure: configure)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        return stage
    }

    @Test(arguments: SamplePages.Style.allCases)
    func `scrolling on after a refresh of all misses no row`(_ style: SamplePages.Style) {
        let stage = loadedStage(style)
        stage.table.pages.insert(5)
        stage.after { $0.refresh(.all) }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == stage.firstRows(40))
        #expect(stage.list.snapshot.gaps == [])
        stage.loadToTheEnd()
        #expect(stage.ids == stage.firstRows(105))
    }

    @Test(arguments: SamplePages.Style.allCases)
    func `scrolling on after deletions and a refresh shows no deleted row`(_ style: SamplePages.Style) {
        let stage = loadedStage(style)
        stage.table.pages.remove(3..<8)
        stage.table.pages.remove(14..<16)
        stage.after { $0.refresh(.all) }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.complaints == [])
        #expect(stage.ids == stage.firstRows(40))
    }

    @Test func `pages that another screen has cached do not follow a refreshed first page`() {
        let stage = ListStage(pageSize: 10)
        let other = stage.makeOtherList()
        for _ in 0..<3 {
            other.loadNext()
            stage.settle()
        }
        stage.after { $0.loadNext() }
        stage.table.pages.insert(5)
        stage.after { $0.refresh(.firstPage) }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == stage.firstRows(30))
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test(arguments: [SamplePages.Style.offset, .number, .cursor])
    func `pages that a window dropped come back as new as those that were refreshed`(_ style: SamplePages.Style) {
        let stage = ListStage(style: style, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(20..<50))
        stage.after { $0.hint(visible: 10..<15) }
        stage.table.pages.remove(2..<6)
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.complaints == [])
        for _ in 0..<4 where stage.list.status.previous != .endReached {
            stage.after { $0.loadPrevious() }
            stage.after { $0.hint(visible: 0..<5) }
            #expect(stage.complaints == [])
        }
        #expect(stage.ids.first == 0)
        for _ in 0..<3 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0]) }
        }
        #expect(stage.list.snapshot.gaps == [])
        #expect(stage.complaints == [])
    }

    @Test func `a page that is marked stale while it loads is stale when it comes`() {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        stage.paginator.invalidate(.all)
        stage.settle()
        let call = stage.source.pendingCalls[0]
        stage.source.answer(call, with: .success(stage.page("0", [1, 2])))
        stage.settle()
        _ = stage.newKeys()
        stage.after { $0.refresh(.stalePages) }
        #expect(stage.newKeys() == ["0"])
    }

    @Test func `what follows a restart is as new as the restart`() {
        let stage = loadedStage()
        stage.table.pages.insert(5)
        stage.source.script([.fail(.keyExpired(ListTrouble())).insideFetch], forKey: "30")
        stage.after { $0.loadNext() }
        #expect(stage.updates.flatMap(\.notices).contains(.restarted))
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == stage.firstRows(30))
    }

    @Test func `a list that was reset shows the table as it is`() {
        let stage = loadedStage()
        stage.table.pages.insert(5)
        stage.after { $0.reset() }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == stage.firstRows(30))
        stage.table.pages.insert(2)
        stage.after { $0.reset() }
        stage.after { $0.jump(to: "10") }
        #expect(stage.ids == Array(stage.firstRows(20).suffix(10)))
    }

    @Test func `pages out of the store are no newer than when they were stored`() {
        let stage = storedStage()
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(5)
        stage.after { $0.refresh(.all) }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == stage.firstRows(30))
        #expect(stage.complaints == [])
    }

    private func storedStage() -> ListStage {
        let executor = SimulatedExecutor()
        return ListStage(
            pageSize: 10, memoryPages: 1, store: ScriptedStore<SampleItem>(executor: executor), executor: executor)
    }

    @Test func `pages that were refreshed come out of the store again without a call`() {
        let stage = storedStage()
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.all) }
        stage.clock.advance(by: .seconds(1))
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        _ = stage.newKeys()
        let other = stage.makeOtherList()
        for _ in 0..<3 {
            other.loadNext()
            stage.settle()
        }
        #expect(stage.newKeys() == [])
        #expect(other.snapshot.count == 30)
    }

    @Test func `a load that asked before the refresh is not joined after it`() throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        let old = try #require(stage.table.pages.page(key: "10", pageSize: 10))
        stage.source.script([.hang], forKey: "10")
        stage.paginator.fetch(key: "10", pageSize: 10, listener: PaginatorFetchListener())
        stage.settle()
        stage.table.pages.insert(5)
        stage.after { $0.refresh(.all) }
        stage.after { $0.loadNext() }
        stage.source.answer(try #require(stage.source.pendingCalls.first), with: .success(old))
        stage.settle()
        #expect(stage.ids == stage.firstRows(20))
        stage.after { $0.loadNext() }
        #expect(stage.ids == stage.firstRows(30))
    }

    @Test func `without a connection what is older than the refresh stands behind a gap`() {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(pageSize: 10, connectivity: connectivity)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(5)
        stage.after { $0.refresh(.all) }
        connectivity.set(.offline)
        stage.after { $0.loadNext() }
        #expect(stage.ids == stage.firstRows(10) + Array(10..<20))
        #expect(stage.list.snapshot.gaps == [10])
        connectivity.set([])
        stage.settle()
        for _ in 0..<3 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0]) }
        }
        #expect(stage.ids == stage.firstRows(20))
        #expect(stage.complaints == [])
    }

    @Test func `a jump beside a refreshed page brings a page that is as new`() {
        let stage = loadedStage()
        stage.table.pages.insert(5)
        stage.after { $0.refresh(.all) }
        stage.after { $0.jump(to: "20") }
        stage.after { $0.jump(to: "10") }
        #expect(stage.ids == stage.firstRows(30))
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test(arguments: SamplePages.Style.allCases)
    func `who scrolls on a server that grows and shrinks misses nothing after a pull to refresh`(
        _ style: SamplePages.Style
    ) {
        let clock = ManualPaginatorClock()
        let executor = SimulatedExecutor()
        let server = SampleServer(SamplePages(count: 200, style: style))
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock, seed: 1)
        let source = ScriptedDataSource(serving: server, clock: clock, executor: executor)
        let paginator = CallbackPaginator(dataSource: source, config: config)
        var listConfig = PaginatorListConfig()
        listConfig.addressing = style == .offset ? .offset : .opaque
        let list = PaginatorList(paginator, id: \.id, config: listConfig)
        let driver = ScrollDriver(list, screenSize: 8, clock: clock, executor: executor)
        driver.refresh()
        driver.scroll(to: 100)
        server.change { $0.insert(7) }
        driver.scroll(to: 0)
        driver.refresh()
        driver.scroll(to: 150)
        #expect(list.snapshot.map(\.id) == server.pages.items.prefix(list.snapshot.count).map(\.id))
        server.change { $0.remove(0..<9) }
        driver.scroll(to: 0)
        driver.refresh()
        driver.scroll(to: 150)
        #expect(list.snapshot.map(\.id) == server.pages.items.prefix(list.snapshot.count).map(\.id))
    }
}
