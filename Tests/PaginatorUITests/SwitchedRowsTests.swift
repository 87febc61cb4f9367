import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// What a view shows of another search that has found some of the same rows, as while somebody types.
@MainActor @Suite struct SwitchedRowsTests {
    private func search(_ stage: ShelfStage, _ follow: () -> Void = {}) {
        stage.plan.script([.latency(.seconds(1))])
        stage.run { stage.list.show(scope: "be") }
        follow()
        stage.run { stage.clock.advance(by: .seconds(1)) }
        follow()
    }

    @Test(arguments: [0, 3])
    func `another search is shown from its first row, also if rows of the screen are in both`(row: Int) {
        let ids = Array(stride(from: 4, to: 64, by: 4))
        let (stage, view) = (ShelfStage(ids), FakeRowsView())
        stage.load(10)
        let adapter = PaginatorListAdapter(stage.list, view)
        stage.run()
        view.offset = view.top(row)
        stage.run { adapter.rowsDidMove() }
        stage.shelf.put([2] + ids)
        search(stage)
        #expect(view.screen.first.map { $0.id == 2 && $0.top == 0 } == true)
        #expect(adapter.newAbove == 0 && adapter.newBelow == 0)
    }

    @Test func `a SwiftUI view loads on behind the rows of another search, also if all were on the screen before`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        let view = FakeSwiftUIView(stage)
        view.follow()
        view.appear(0..<6)
        stage.shelf.hide(3..<10)
        search(stage) { view.follow() }
        #expect(stage.list.snapshot.ids == [0, 1, 2])
        #expect(view.memory.takeScroll() == .goToStart)
        // No row appears, since these have appeared already.
        stage.run { view.memory.didScroll(in: stage.list) }
        #expect(stage.list.snapshot.ids == [0, 1, 2] + Array(10..<20))
    }

    @Test func `rows of a SwiftUI view that were on the screen before another search are not told to it`() {
        let stage = ShelfStage(0..<60)
        stage.load(10)
        let view = FakeSwiftUIView(stage)
        view.follow()
        view.appear(2..<8)
        stage.shelf.put([3] + Array(100..<108) + [5] + Array(200..<260))
        let calls = stage.shelf.calls
        stage.run { stage.list.show(scope: "be") }
        view.follow()
        #expect(view.memory.takeScroll() == .goToStart)
        stage.run { view.memory.didScroll(in: stage.list) }
        #expect(stage.shelf.calls == calls + 1)
    }
}
