import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// What a view shows that follows the end of its list, as in a chat.
@MainActor @Suite struct EndTests {
    private typealias Adapter = PaginatorListAdapter<SampleItem, Int>

    private func adapter(_ stage: ShelfStage, _ view: FakeRowsView) -> Adapter {
        let adapter = PaginatorListAdapter(stage.list, view)
        adapter.followsEnd = true
        stage.run()
        return adapter
    }

    /// A view of the last ten of 100 rows.
    private func opened(_ view: FakeRowsView) -> (stage: ShelfStage, adapter: Adapter) {
        let stage = ShelfStage(0..<100) { $0.initialKey = "90" }
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        return (stage, adapter)
    }

    private func scroll(_ view: FakeRowsView, to offset: Double, _ adapter: Adapter, _ stage: ShelfStage) {
        view.offset = offset
        stage.run { adapter.rowsDidMove() }
    }

    private func push(_ ids: some Sequence<Int>, to stage: ShelfStage) {
        stage.run { stage.list.insertLive(ids.map { SampleItem(id: $0, text: "live") }, at: .tail) }
    }

    private func ends(at id: Int, _ view: FakeRowsView) -> Bool { view.isAtEnd && view.screen.last?.id == id }

    @Test func `it opens at the last row, and nobody sees the first one, so nothing is loaded before that`() {
        let view = FakeRowsView()
        let (_, adapter) = opened(view)
        #expect(ends(at: 99, view))
        #expect(view.ids == Array(90..<100))
        #expect(adapter.newBelow == 0)
    }

    @Test func `it opens there also if the list has loaded before, and with its first layout`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "90" }
        stage.load(10)
        let view = FakeRowsView()
        view.height = 0
        let adapter = adapter(stage, view)
        view.height = 300
        stage.run { adapter.rowsDidMove() }
        #expect(ends(at: 99, view))
    }

    @Test func `who is at the end sees each row that comes, and the last one while it grows`() {
        let view = FakeRowsView()
        let (stage, adapter) = opened(view)
        push([100], to: stage)
        #expect(ends(at: 100, view))
        push([101, 102], to: stage)
        #expect(ends(at: 102, view))
        view.growth = 25
        stage.run { stage.list.insertLive([SampleItem(id: 102, text: "longer")], at: .tail) }
        #expect(view.configured[102] == 2 && ends(at: 102, view))
        #expect(adapter.newBelow == 0)
    }

    @Test func `who has scrolled up stays, and what comes is counted until it is seen`() {
        let view = FakeRowsView()
        let (stage, adapter) = opened(view)
        scroll(view, to: view.top(1), adapter, stage)
        let before = view.screen
        push([100], to: stage)
        push([101, 102], to: stage)
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newBelow == 3)
        // To right above the last row.
        scroll(view, to: view.top(12) - view.height, adapter, stage)
        #expect(adapter.newBelow == 1)
        stage.run { adapter.goToEnd() }
        #expect(ends(at: 102, view))
        #expect(adapter.newBelow == 0)
    }

    @Test func `rows of a last page that comes again without any of those before are counted`() {
        let view = FakeRowsView()
        let (stage, adapter) = opened(view)
        stage.run { stage.list.loadPrevious() }
        scroll(view, to: view.top(2), adapter, stage)
        let before = view.screen
        stage.shelf.put(Array(0..<90) + Array(200..<210))
        stage.run { stage.list.refresh(.page("90")) }
        #expect(view.ids == Array(80..<90) + Array(200..<210))
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newBelow == 10)
        stage.run { adapter.goToEnd() }
        #expect(adapter.newBelow == 0)
    }

    @Test(arguments: [false, true])
    func `who asks for the end before there are rows gets it, also while the first page is loading`(isLoading: Bool) {
        let stage = ShelfStage(0..<100) { $0.initialKey = "30" }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.plan.always(.latency(.seconds(1)))
        if isLoading { stage.run { stage.list.loadNext() } }
        stage.run { adapter.goToEnd(lastKey: "90") }
        for _ in 0..<3 { stage.run { stage.clock.advance(by: .seconds(1)) } }
        #expect(ends(at: 99, view))
    }

    @Test func `older rows move nothing, neither further up nor at the end, and are not counted`() {
        let view = FakeRowsView()
        let (stage, adapter) = opened(view)
        var before = view.screen
        stage.run { stage.list.loadPrevious() }
        #expect(view.ids.first == 80)
        #expect(view.screen.elementsEqual(before, by: ==) && ends(at: 99, view))
        scroll(view, to: view.top(3) + 7, adapter, stage)
        before = view.screen
        stage.run { stage.list.loadPrevious() }
        #expect(view.ids.first == 70)
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newBelow == 0)
    }

    @Test func `a short conversation keeps to its end when it becomes longer than the screen`() {
        let stage = ShelfStage(0..<3)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        #expect(view.offset == 0)
        push(3..<12, to: stage)
        #expect(ends(at: 11, view))
        #expect(adapter.newBelow == 0)
    }

    @Test func `a jump in place of the first load opens at its row, also on the last page`() {
        let stage = ShelfStage(0..<100)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.jump(to: "90") }
        #expect(view.screen.first.map { $0.id == 90 && $0.top == 0 } == true)
        #expect(view.ids == Array(80..<100))
        push([100], to: stage)
        #expect(view.screen.first?.id == 90)
        #expect(adapter.newBelow == 1)
    }

    @Test func `a list that begins behind its last row, because all is read, opens at that row`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "100" }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        var isEverEmpty = false
        adapter.onUpdate = { [unowned adapter] _ in if case .empty = adapter.state { isEverEmpty = true } }
        stage.run { stage.list.loadNext() }
        #expect(view.ids == Array(90..<100))
        #expect(ends(at: 99, view) && !isEverEmpty)
    }

    @Test func `an end that the window has dropped is loaded for who asks for it, with what has come meanwhile`() {
        let stage = ShelfStage(0..<200) { ($0.initialKey, $0.windowItems) = ("190", 30) }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        for _ in 0..<6 { scroll(view, to: 0, adapter, stage) }
        #expect(!view.ids.contains(199))
        stage.shelf.put(0..<201)
        let before = view.screen
        push([200], to: stage)
        #expect(view.screen.elementsEqual(before, by: ==))
        #expect(adapter.newBelow == 1)
        stage.run { adapter.goToEnd(lastKey: "190") }
        #expect(ends(at: 200, view))
        #expect(adapter.newBelow == 0)
    }

    @Test func `in a list that grows upwards the end is its first page`() {
        let executor = SimulatedExecutor()
        var config = PaginatorConfig()
        config.simulate(on: executor, clock: ManualPaginatorClock())
        let source = ScriptedDataSource<SampleItem>(
            firstKey: "newest",
            otherwise: { request in
                let end = Int(request.key) ?? 200
                let items = (end - 10..<end).map { SampleItem(id: $0, text: "\($0)") }
                let page = PaginatorPage(
                    content: items, key: request.key, prevKey: end > 10 ? String(end - 10) : nil)
                return .result(.success(page)).insideFetch
            })
        var listConfig = PaginatorListConfig()
        (listConfig.pageSize, listConfig.prefetchDistance, listConfig.windowItems) = (10, 0, 30)
        let list = PaginatorList(CallbackPaginator(dataSource: source, config: config), config: listConfig)
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(list, view)
        adapter.followsEnd = true
        executor.immediately { list.loadNext() }
        #expect(ends(at: 199, view))
        for _ in 0..<6 {
            view.offset = 0
            executor.immediately { adapter.rowsDidMove() }
        }
        #expect(!view.ids.contains(199))
        executor.immediately { adapter.goToEnd() }
        #expect(ends(at: 199, view))
    }

    @Test func `who asked for an end that failed to load is not taken there by a retry`() {
        let stage = ShelfStage(0..<100)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.jump(to: "30") }
        scroll(view, to: view.top(12), adapter, stage)
        let before = view.screen
        stage.plan.always(.failure())
        stage.run { adapter.goToEnd(lastKey: "90") }
        stage.plan.heal()
        stage.run { stage.list.retry() }
        #expect(view.ids.last == 99)
        #expect(view.screen.elementsEqual(before, by: ==))
        stage.run { adapter.goToEnd(lastKey: "90") }
        #expect(ends(at: 99, view))
    }

    @Test func `rows that were seen at the end are not counted when the window has no room for them`() {
        let stage = ShelfStage(0..<100) { ($0.initialKey, $0.windowItems) = ("90", 20) }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        for id in 100..<115 { push([id], to: stage) }
        #expect(ends(at: 114, view))
        scroll(view, to: 0, adapter, stage)
        #expect(!view.ids.contains(114) && stage.list.status.newBelow == 15)
        #expect(adapter.newBelow == 0)
        push([115], to: stage)
        #expect(adapter.newBelow == 1)
    }

    @Test func `rows that an earlier list has had are not counted over the placeholders of a screen`() {
        let stage = ShelfStage(0..<20)
        stage.load(20)
        stage.run { for id in 100..<105 { stage.list.edits.insert(SampleItem(id: id, text: ""), at: .tail) } }
        var config = PaginatorListConfig()
        (config.pageSize, config.prefetchDistance, config.initialKey) = (10, 0, "10")
        let list = PaginatorList(stage.paginator, config: config)
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(list, view)
        stage.run()
        #expect(list.status.newBelow == 5 && adapter.newBelow == 0)
        stage.run { list.loadNext() }
        #expect(view.ids.suffix(6) == [19, 100, 101, 102, 103, 104] && adapter.newBelow == 0)
    }

    @Test func `a view that does not follow the end opens at its first row, and stays`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "90" }
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(stage.list, view)
        stage.run { stage.list.loadNext() }
        #expect(view.screen.first?.id == 90)
        push([100], to: stage)
        #expect(view.screen.first?.id == 90)
        #expect(adapter.newBelow == 1)
    }

    @Test func `a SwiftUI view goes to the end once for each row that comes while the last one is visible`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "90" }
        stage.load(10)
        let memory = ScreenMemory<SampleItem, Int>()
        func follow() -> Int { memory.follow(stage.list.snapshot, stage.list.status, followsEnd: true) }
        func appear(_ ids: Range<Int>) { stage.run { for id in ids { memory.didAppear(id, in: stage.list) } } }
        func disappear(_ ids: Range<Int>) { stage.run { for id in ids { memory.didDisappear(id, in: stage.list) } } }
        let first = follow()
        #expect(memory.takeScroll() == .goToEnd && memory.lastID == 99)
        appear(94..<100)
        #expect(follow() == first)
        push([100], to: stage)
        #expect(follow() == first + 1)
        #expect(memory.takeScroll() == .goToEnd && memory.lastID == 100)
        #expect(follow() == first + 1)

        appear(91..<94)
        disappear(94..<101)
        push([101], to: stage)
        #expect(follow() == first + 1)
        #expect(memory.newBelow == 1)
        var isLoaded = false
        stage.run { isLoaded = memory.go(to: .end, of: stage.list) }
        #expect(isLoaded)
        appear(100..<102)
        #expect(memory.newBelow == 0)
    }

    @Test func `one's own row is not counted as new when the source gives it an identity`() {
        let view = FakeRowsView()
        let (stage, adapter) = opened(view)
        var draft: PaginatorEdit<SampleItem>?
        stage.run { draft = stage.list.edits.beginInsert(SampleItem(id: -1, text: ""), at: .tail) }
        #expect(ends(at: -1, view))
        scroll(view, to: view.top(1), adapter, stage)
        stage.run { draft?.commit(with: SampleItem(id: 200, text: "")) }
        #expect(view.ids.last == 200)
        #expect(adapter.newBelow == 0)
    }
}
