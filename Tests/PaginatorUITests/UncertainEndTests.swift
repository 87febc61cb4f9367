import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// A view that follows the end while that is uncertain, far away or asked for together with another row.
@MainActor @Suite struct UncertainEndTests {
    private typealias Screen = PaginatorScreen<SampleItem, Int>

    private func adapter(_ stage: ShelfStage, _ view: FakeRowsView) -> PaginatorListAdapter<SampleItem, Int> {
        let adapter = PaginatorListAdapter(stage.list, view)
        adapter.followsEnd = true
        stage.run()
        return adapter
    }

    /// A list of 100 items that shows the cached page of a key, because the source fails.
    private func staleStage(_ key: String) -> ShelfStage {
        let stage = ShelfStage(0..<100) { $0.initialKey = key }
        stage.load(10)
        stage.plan.always(.failure())
        stage.run { stage.list.reset() }
        stage.run { stage.list.loadNext() }
        #expect(stage.list.snapshot.count == 10 && stage.list.status.staleError != nil)
        return stage
    }

    private func scroll(
        _ view: FakeRowsView, to offset: Double, _ adapter: PaginatorListAdapter<SampleItem, Int>, _ stage: ShelfStage
    ) {
        view.offset = offset
        stage.run { adapter.rowsDidMove() }
    }

    private func push(_ id: Int, to stage: ShelfStage) {
        stage.run { stage.list.insertLive([SampleItem(id: id, text: "live")], at: .tail) }
    }

    private func begins(at id: Int, _ view: FakeRowsView) -> Bool {
        view.screen.first.map { $0.id == id && $0.top == 0 } ?? false
    }

    @Test func `an older page in the middle opens at its first row, and nobody is taken to the end`() {
        let stage = staleStage("30")
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        #expect(begins(at: 30, view))
        stage.plan.heal()
        stage.run { stage.list.retry() }
        #expect(view.screen.first?.id == 30)
        #expect(stage.list.snapshot.ids.last == 39)
        withExtendedLifetime(adapter) {}
    }

    @Test func `the first part of a page is not the end if the whole page leads on`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "30" }
        stage.load(10)
        var screen = Screen(PaginatorListSnapshot(), PaginatorListStatus())
        screen.followsEnd = true
        var status = stage.list.status
        status.isPartial = true
        let first = screen.follow(stage.list.snapshot, status, anchor: nil)
        #expect(first == .goToEnd)
        _ = screen.show(4..<10)
        stage.load(20)
        let whole = screen.follow(stage.list.snapshot, stage.list.status, anchor: 4)
        #expect(whole == .keep(34, from: 4, to: 4))
        _ = screen.show(14..<20)
        stage.load(30)
        let next = screen.follow(stage.list.snapshot, stage.list.status, anchor: 14)
        #expect(next == .keep(44, from: 14, to: 14))
    }

    @Test func `rows that come at the end of an older last page are counted, and followed by who sees the last one`() {
        let stage = staleStage("90")
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        #expect(view.isAtEnd && view.screen.last?.id == 99)
        scroll(view, to: view.top(1), adapter, stage)
        #expect(stage.list.status.hasNext)
        push(100, to: stage)
        #expect(view.ids.last == 100 && !view.isAtEnd)
        #expect(adapter.newBelow == 1)
        scroll(view, to: view.top(11) - view.height, adapter, stage)
        #expect(adapter.newBelow == 0)
        push(101, to: stage)
        #expect(view.isAtEnd && view.screen.last?.id == 101)
        withExtendedLifetime(adapter) {}
    }

    @Test func `rows that appear one by one do not end the way of a SwiftUI view to the end`() {
        let view = FakeSwiftUIView.onItsWayToTheEnd()
        view.follow(followsEnd: true)
        #expect(view.memory.takeScroll() == .goToEnd && view.memory.lastID == 99)
    }

    @Test func `a page of older rows leaves a SwiftUI view at the end`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "90" }
        stage.load(10)
        let memory = ScreenMemory<SampleItem, Int>()
        func follow() { _ = memory.follow(stage.list.snapshot, stage.list.status, followsEnd: true) }
        follow()
        _ = memory.takeScroll()
        stage.run { for id in 94..<100 { memory.didAppear(id, in: stage.list) } }
        stage.run { stage.list.loadPrevious() }
        follow()
        #expect(memory.takeScroll() == .goToEnd)
        stage.run { for id in 91..<94 { memory.didAppear(id, in: stage.list) } }
        stage.run { for id in 94..<100 { memory.didDisappear(id, in: stage.list) } }
        stage.run { stage.list.loadPrevious() }
        follow()
        #expect(memory.takeScroll() == .keep(91, from: 11, to: 21))
    }

    @Test func `who goes to a row while the end is on its way stays there, also if there is more behind that page`() {
        let stage = ShelfStage(0..<100)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.jump(to: "30") }
        stage.plan.script([.latency(.seconds(1))])
        stage.run { adapter.goToEnd(lastKey: "80") }
        stage.run { adapter.show(22) }
        let before = view.screen
        #expect(begins(at: 22, view))
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(view.ids.last == 89)
        #expect(view.screen.elementsEqual(before, by: ==))
        withExtendedLifetime(adapter) {}
    }

    @Test func `the page of a quote that comes before the end that was asked for is not that end`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "50" }
        stage.load(10)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.plan.script([.latency(.seconds(1))])
        stage.run { adapter.goToEnd(lastKey: "90") }
        stage.run { stage.list.jump(to: "10") }
        #expect(begins(at: 10, view))
        withExtendedLifetime(adapter) {}
    }

    @Test func `a row or the start that is asked for before the view opens is where it opens`() {
        let stage = ShelfStage(0..<10)
        stage.load(10)
        for id in [2, 0] {
            let view = FakeRowsView()
            let adapter = PaginatorListAdapter(stage.list, view)
            adapter.followsEnd = true
            if id == 0 { adapter.goToStart() } else { adapter.show(id) }
            stage.run()
            #expect(begins(at: id, view))
            withExtendedLifetime(adapter) {}
        }
        let view = FakeRowsView()
        let other = adapter(stage, view)
        #expect(view.isAtEnd)
        withExtendedLifetime(other) {}
    }

    @Test func `the first page of a list that grows downward is not put behind its rows`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "50" }
        stage.load(10)
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { adapter.goToEnd() }
        #expect(view.ids.first == 0 && view.ids == view.ids.sorted())
    }
}
