import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// Where the rows of the screen are when somebody asks for an end of the list and for another place before it comes.
@MainActor @Suite struct EdgeJumpTests {
    /// A view that has been scrolled down by three rows: the fourth is at the top.
    private func scrolled(_ stage: ShelfStage) -> (FakeRowsView, PaginatorListAdapter<SampleItem, Int>) {
        let view = FakeRowsView()
        let adapter = PaginatorListAdapter(stage.list, view)
        stage.run()
        view.offset = view.top(3)
        stage.run { adapter.rowsDidMove() }
        return (view, adapter)
    }

    private func beginsAt(_ id: Int, _ view: FakeRowsView) -> Bool {
        view.screen.first.map { $0.id == id && $0.top == 0 } ?? false
    }

    @Test func `whoever goes to a row while the start is loading is not taken to the start`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "30" }
        stage.load(20)
        let (view, adapter) = scrolled(stage)
        stage.plan.script([.latency(.seconds(1))])
        stage.run { adapter.goToStart() }
        stage.run { adapter.show(41) }
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(view.ids.first == 0 && beginsAt(41, view))
    }

    /// A list to which the page at the start is joined, and one that has a gap there.
    @Test(arguments: [1, 3], [20, 50])
    func `whoever asks for the end while the start is loading goes to the end, whichever comes first`(
        seconds: Int, first: Int
    ) {
        let stage = ShelfStage(0..<100) { $0.initialKey = "\(first)" }
        stage.load(10)
        let (view, adapter) = scrolled(stage)
        stage.plan.script([.latency(.seconds(seconds)), .latency(.seconds(2))])
        stage.run { adapter.goToStart() }
        stage.run { adapter.goToEnd(lastKey: "90") }
        for _ in 0..<3 { stage.run { stage.clock.advance(by: .seconds(1)) } }
        let middle = first - 10..<first + 10
        #expect(view.ids == Array(0..<10) + Array(middle) + Array(90..<100))
        #expect(view.isAtEnd)
    }

    @Test(arguments: [1, 3], [20, 50])
    func `whoever asks for the start while the end is loading stays at the start, whichever comes first`(
        seconds: Int, first: Int
    ) {
        let stage = ShelfStage(0..<100) { $0.initialKey = "\(first)" }
        stage.load(10)
        let (view, adapter) = scrolled(stage)
        stage.plan.script([.latency(.seconds(2)), .latency(.seconds(seconds))])
        stage.run { adapter.goToEnd(lastKey: "90") }
        stage.run { adapter.goToStart() }
        for _ in 0..<3 { stage.run { stage.clock.advance(by: .seconds(1)) } }
        let middle = first - 10..<first + 10
        #expect(view.ids == Array(0..<10) + Array(middle) + Array(90..<100))
        #expect(beginsAt(0, view))
    }

    @Test func `whoever goes to a row while both ends are loading is taken to neither`() {
        let stage = ShelfStage(0..<100) { $0.initialKey = "50" }
        stage.load(10)
        let (view, adapter) = scrolled(stage)
        stage.plan.script([.latency(.seconds(2)), .latency(.seconds(3))])
        stage.run { adapter.goToEnd(lastKey: "90") }
        stage.run { adapter.goToStart() }
        stage.run { adapter.show(52) }
        for _ in 0..<3 { stage.run { stage.clock.advance(by: .seconds(1)) } }
        #expect(view.ids == Array(0..<10) + Array(40..<60) + Array(90..<100))
        #expect(beginsAt(52, view))
    }

    @Test func `whoever goes to an end that is there while the start is loading stays at the end`() {
        let stage = ShelfStage(0..<60) { $0.initialKey = "50" }
        stage.load(10)
        let (view, adapter) = scrolled(stage)
        stage.plan.script([.latency(.seconds(1))])
        stage.run { adapter.goToStart() }
        stage.run { adapter.goToEnd() }
        stage.run { stage.clock.advance(by: .seconds(1)) }
        #expect(view.ids == Array(0..<10) + Array(40..<60))
        #expect(view.isAtEnd)
    }
}
