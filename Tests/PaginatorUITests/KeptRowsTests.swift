import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// Which rows stay where they are while others come, go and move on the screen and around it.
@MainActor @Suite struct KeptRowsTests {
    private typealias Adapter = PaginatorListAdapter<SampleItem, Int>

    private func adapter(_ stage: ShelfStage, _ view: FakeRowsView) -> Adapter {
        let adapter = Adapter(stage.list, view)
        stage.run()
        return adapter
    }

    /// A view of 30 rows that shows the rows from the tenth on.
    private func scrolled(_ view: FakeRowsView) -> (stage: ShelfStage, adapter: Adapter) {
        let stage = ShelfStage(0..<30)
        stage.load(30)
        let adapter = adapter(stage, view)
        view.offset = view.top(10)
        stage.run { adapter.rowsDidMove() }
        #expect(view.screen.map(\.id) == Array(10..<16))
        return (stage, adapter)
    }

    /// Lets the source put its rows in another order.
    private func reorder(_ stage: ShelfStage, _ ids: [Int]) {
        stage.shelf.put(ids)
        stage.run { stage.list.refresh(.keepingPlace) }
        #expect(stage.list.snapshot.ids == ids)
    }

    @Test func `a row that goes or comes on the screen moves only what is below it`() {
        let view = FakeRowsView()
        let (stage, adapter) = scrolled(view)
        let (before, animations) = (view.screen, view.animations)
        stage.run { stage.list.edits.remove(11) }
        #expect(view.screen.prefix(3).map(\.id) == [10, 12, 13])
        #expect(view.screen.first.map { $0 == before[0] } == true)
        #expect(view.screen[1].top == before[1].top)
        #expect(view.animations == animations + 1)
        let middle = view.screen
        stage.run { stage.list.insertLive([SampleItem(id: 200, text: "reply")], at: .after(12)) }
        #expect(view.screen.prefix(2).elementsEqual(middle.prefix(2), by: ==))
        #expect(view.screen[2].id == 200 && view.screen[2].top == middle[2].top)
        withExtendedLifetime(adapter) {}
    }

    @Test func `a SwiftUI view does not scroll when a row goes or comes on the screen`() {
        let stage = ShelfStage(0..<60)
        stage.load(60)
        let view = FakeSwiftUIView(stage)
        view.follow()
        view.appear(10..<18)
        stage.run { stage.list.edits.remove(13) }
        view.follow()
        #expect(view.memory.takeScroll() == .stay)
        stage.run { stage.list.insertLive([SampleItem(id: 200, text: "reply")], at: .after(11)) }
        view.follow()
        #expect(view.memory.takeScroll() == .stay)
    }

    @Test(arguments: 10..<14)
    func `two rows of the screen that change places move no other row`(first: Int) {
        let view = FakeRowsView()
        let (stage, adapter) = scrolled(view)
        let before = view.screen
        var ids = Array(0..<30)
        ids.swapAt(first, first + 1)
        reorder(stage, ids)
        let others = before.filter { $0.id != first && $0.id != first + 1 }
        for row in others { #expect(view.screen.contains { $0 == row }, "row \(row.id)") }
        #expect(view.screen.map(\.id) == Array(ids[10..<16]))
        withExtendedLifetime(adapter) {}
    }

    @Test(arguments: [10..<11, 10..<12, 12..<13, 14..<16])
    func `rows that go from the screen to the start of the list do not take it along`(rows: Range<Int>) {
        let view = FakeRowsView()
        let (stage, adapter) = scrolled(view)
        let before = view.screen
        reorder(stage, Array(rows) + (0..<30).filter { !rows.contains($0) })
        let first = before.first { !rows.contains($0.id) }
        #expect(view.screen.contains { row in first.map { $0 == row } ?? false })
        withExtendedLifetime(adapter) {}
    }

    @Test func `the only row on the screen is followed wherever it goes`() {
        let stage = ShelfStage(0..<30)
        stage.load(30)
        var screen = PaginatorScreen(stage.list.snapshot, stage.list.status)
        _ = screen.show(10..<11)
        var ids = Array(0..<30)
        ids.swapAt(10, 11)
        reorder(stage, ids)
        let scroll = screen.follow(stage.list.snapshot, stage.list.status, anchor: 11)
        #expect(scroll == .keep(10, from: 10, to: 11))
    }

    @Test func `at an end that a view follows, a row that comes above the last one does not push that off the screen`()
    {
        let stage = ShelfStage(0..<100) { $0.initialKey = "90" }
        stage.load(10)
        let view = FakeSwiftUIView(stage)
        view.follow(followsEnd: true)
        _ = view.memory.takeScroll()
        view.appear(94..<100)
        stage.run { stage.list.insertLive([SampleItem(id: 200, text: "late")], at: .after(95)) }
        view.follow(followsEnd: true)
        #expect(view.memory.takeScroll() == .goToEnd && view.memory.lastID == 99)
    }

    @Test func `rows that come above a short page leave no room below it`() {
        let stage = ShelfStage(0..<94) { $0.initialKey = "90" }
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        stage.run { stage.list.loadNext() }
        #expect(view.ids == Array(80..<94))
        #expect(view.offset == view.top(14) - view.height)
        withExtendedLifetime(adapter) {}
    }

    @Test func `a first row that goes leaves no room above the next one, also if there are rows before it`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(10)
        stage.plan.always(.failure())
        let view = FakeRowsView()
        let adapter = adapter(stage, view)
        #expect(adapter.status.previous.error != nil)
        stage.run { stage.list.edits.remove(30) }
        #expect(view.ids.first == 31 && view.offset == 0)
    }

    @Test func `one's own row above the screen is not counted as new when the source gives it an identity`() {
        let view = FakeRowsView()
        let stage = ShelfStage(0..<60)
        stage.load(30)
        let adapter = adapter(stage, view)
        var draft: PaginatorEdit<SampleItem>?
        stage.run { draft = stage.list.edits.beginInsert(SampleItem(id: -1, text: "")) }
        view.offset = view.top(10)
        stage.run { adapter.rowsDidMove() }
        stage.run { draft?.commit(with: SampleItem(id: 200, text: "")) }
        #expect(view.ids.first == 200)
        #expect(adapter.newAbove == 0)
    }

    @Test func `a page that fills a gap on the screen moves the smaller part of it`() {
        let view = FakeRowsView()
        let stage = ShelfStage(0..<60)
        stage.load(10)
        let adapter = adapter(stage, view)
        stage.run { stage.list.jump(to: "40") }
        stage.plan.always(.latency(.seconds(1)))
        guard let gap = stage.list.snapshot.gaps.first else {
            Issue.record("The list has no gap.")
            return
        }
        // From below, and on by two rows while the gap is being filled.
        view.offset = view.top(gap)
        stage.run { adapter.rowsDidMove() }
        view.offset = view.top(gap - 2)
        stage.run { adapter.rowsDidMove() }
        let before = view.screen
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(view.screen.count > 4 && view.screen.suffix(4).elementsEqual(before.suffix(4), by: ==))
    }
}
