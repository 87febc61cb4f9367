import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A list follows renewals of its pages, whoever caused them, and tells of pages that stand in for newer ones.
@Suite struct ListFollowingTests {
    private func texts(_ list: PaginatorList<SampleItem, Int>) -> [String] { list.snapshot.map(\.text) }

    @Test func `a page that another list refreshes is renewed in this one`() {
        let stage = ListStage(pageSize: 10)
        let other = stage.makeOtherList()
        for _ in 0..<2 {
            stage.after { $0.loadNext() }
            other.loadNext()
            stage.settle()
        }
        stage.table.pages.insert(2)
        other.refresh(.keepingPlace)
        stage.settle()
        #expect(stage.ids == stage.firstRows(20))
        #expect(stage.complaints == [])
    }

    @Test func `a page that somebody refreshes or puts is renewed in the list`() throws {
        let stage = ListStage(pageSize: 2)
        stage.after { $0.loadNext() }
        stage.after { $0.loadNext() }
        stage.source.script([.page(stage.page("0", [0, 1], next: "2", text: "new")).insideFetch], forKey: "0")
        stage.paginator.refresh(PageRequest(key: "0", pageSize: 2))
        stage.settle()
        #expect(texts(stage.list).prefix(2) == ["new", "new"])
        try stage.paginator.prime(stage.page("2", [2, 3], next: "4", previous: "0", text: "put"), pageSize: 2)
        stage.settle()
        #expect(texts(stage.list) == ["new", "new", "put", "put"])
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test func `a page that is renewed with fewer rows has the next one loaded ahead`() throws {
        let stage = ListStage(style: .cursor, pageSize: 10) { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<3) }
        #expect(stage.newKeys() == ["start"])
        try stage.paginator.prime(stage.page("start", Array(0..<4), next: "after:3"), pageSize: 10)
        stage.settle()
        #expect(stage.newKeys() == ["after:3"])
        #expect(stage.ids == Array(0..<14) && stage.list.snapshot.gaps == [])
    }

    @Test func `the new page takes the place of one that was shown for want of time`() throws {
        let stage = ListStage { $0.policy = .networkFirst(fallbackAfter: .seconds(1)) }
        stage.paginator.fetch(key: "0", pageSize: 2, listener: PaginatorFetchListener())
        stage.settle()
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(2))
        stage.settle()
        #expect(stage.ids == [0, 1])
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: .success(stage.page("0", [0, 9], next: "2", text: "new")))
        stage.settle()
        #expect(stage.ids == [0, 9] && texts(stage.list) == ["new", "new"])
    }

    @Test func `a page that is used and renewed behind is shown renewed`() throws {
        let validator = AnyPageValidator<SampleItem>.closure { _, context in
            context.origin == .source ? .accept : .useButRefresh
        }
        let executor = SimulatedExecutor()
        let clock = ManualPaginatorClock()
        var config = DefaultPaginatorConfig()
        config.simulate(on: executor, clock: clock, seed: 1)
        let server = SampleServer(SamplePages(count: 50))
        let paginator = CallbackPaginator(
            dataSource: ScriptedDataSource(serving: server, clock: clock, executor: executor), validator: validator,
            config: config)
        paginator.fetch(key: "0", pageSize: 10, listener: PaginatorFetchListener())
        while executor.runOne(choose: { _ in 0 }) {}
        server.change { $0.insert(2) }
        var listConfig = PaginatorListConfig()
        listConfig.pageSize = 10
        let list = PaginatorList(paginator, id: \.id, config: listConfig)
        list.loadNext()
        while executor.runOne(choose: { _ in 0 }) {}
        #expect(list.snapshot.map(\.id) == server.pages.items.prefix(10).map(\.id))
    }

    @Test func `a stale page that stands in for one that failed is told, and tried again on retry`() {
        let stage = ListStage()
        stage.after { $0.loadNext() }
        stage.paginator.invalidate(.all)
        let other = stage.makeOtherList { $0.pageSize = 2 }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "0")
        other.loadNext()
        stage.settle()
        #expect(other.snapshot.count == 2)
        #expect(other.status.staleError?.code == .sourceFailed)
        _ = stage.newKeys()
        other.retry()
        stage.settle()
        #expect(stage.newKeys() == ["0"])
        #expect(other.status.staleError == nil)
    }

    @Test(arguments: [false, true])
    func `rows that are only counted are seen also in a first page that names a key before it`(isJump: Bool) {
        let stage = ListStage(style: .cursor, pageSize: 4)
        stage.source.otherwise { [table = stage.table] request in
            .result(
                table.pages.answer(to: request).map {
                    PaginatorPage(content: $0.content, key: $0.key, prevKey: $0.prevKey ?? "newer", nextKey: $0.nextKey)
                }
            ).insideFetch
        }
        stage.after { $0.loadNext() }
        let following = FollowingStage(stage)
        following.follow()
        following.tell(.newRows(3))
        #expect(stage.list.status.newAbove == 3 && stage.list.status.hasPrevious)
        stage.after { isJump ? $0.jump(to: "start", placement: .start) : $0.refresh(.firstPage) }
        #expect(stage.list.status.newAbove == 0)
        #expect(stage.source.keys == ["start", "start"])
    }

    @Test func `rows that are only counted are seen in a jump's page that is the start instead of dropped ones`() {
        let stage = ListStage(style: .cursor, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(20..<40))
        // The newest rows, by a name that the list does not know.
        let newer = stage.page("top", Array(100..<103) + Array(0..<7), next: "after:6")
        stage.source.script(
            [.page(stage.page("top", Array(0..<10), next: "after:9")).insideFetch, .page(newer).insideFetch],
            forKey: "top")
        stage.after { $0.jump(to: "top", placement: .start) }
        #expect(stage.ids == Array(0..<10) + Array(20..<30) && !stage.list.status.hasPrevious)
        let following = FollowingStage(stage)
        following.follow()
        following.tell(.newRows(3))
        #expect(stage.list.status.newAbove == 3)
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.ids.prefix(3) == [100, 101, 102] && stage.list.status.newAbove == 0)
    }

    @Test(arguments: [false, true])
    func `in a chat the newest page has the rows that are only counted, and the oldest has not`(isJump: Bool) {
        let stage = ListStage(style: .cursor, pageSize: 2)
        stage.source.otherwise { request in
            let isNewest = request.key == "start"
            let items = (isNewest ? [8, 9] : [1, 2]).map { SampleItem(id: $0, text: "") }
            let page = PaginatorPage(content: items, key: request.key, prevKey: isNewest ? "oldest" : nil)
            return .result(.success(page)).insideFetch
        }
        stage.after { $0.loadNext() }
        let following = FollowingStage(stage)
        following.follow()
        following.tell(.newRows(3))
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [1, 2, 8, 9] && stage.list.status.newAbove == 3)
        stage.after { isJump ? $0.jump(to: "start", placement: .start) : $0.refresh(.page("start")) }
        #expect(stage.list.status.newAbove == 0)
        #expect(stage.source.keys == ["start", "oldest", "start"])
    }

    @Test func `a page that stood in behind a refreshed one joins it once somebody else has renewed it`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.all) }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<20) && stage.list.snapshot.gaps == [10])
        #expect(stage.list.status.staleError?.code == .sourceFailed)
        stage.clock.advance(by: .milliseconds(1))
        stage.paginator.refresh(PageRequest(key: "10", pageSize: 10))
        stage.settle()
        #expect(stage.ids == Array(0..<20) && stage.list.snapshot.gaps == [])
        #expect(stage.list.status.staleError == nil)
    }
}
