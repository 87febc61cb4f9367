import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

@MainActor @Suite struct RowsWatcherTests {
    @MainActor private final class View {
        var visible = 0..<25
    }

    /// What the main actor was asked for before has been done after this.
    private func turn() async { await Task {}.value }

    @Test func `a view that asks for no rows gets pages until they fill it, and gaps that it shows are filled`() async {
        let stage = ShelfStage(0..<60)
        let view = View()
        let watcher = RowsWatcher(stage.list) { Array(view.visible.clamped(to: 0..<stage.list.snapshot.count)) }
        stage.run { stage.list.loadNext() }
        for _ in 0..<8 {
            await turn()
            stage.run()
        }
        #expect(stage.list.snapshot.ids == Array(0..<30))
        stage.run { stage.list.jump(to: "50") }
        view.visible = 27..<32
        stage.run { watcher.look() }
        for _ in 0..<8 {
            await turn()
            stage.run()
        }
        #expect(stage.list.snapshot.ids == Array(0..<40) + Array(50..<60))
    }

    @Test
    func `a row of the view that the list does not have is no reason to stop: the page behind the last row loads`() {
        let stage = ShelfStage(0..<60)
        stage.load(20)
        // Such as a footer below the last rows.
        let watcher = RowsWatcher(stage.list) { Array(11..<21) }
        stage.run { watcher.look() }
        #expect(stage.list.snapshot.ids == Array(0..<30))
        stage.run { stage.list.refresh() }
        #expect(stage.list.snapshot.ids == Array(0..<10))
    }

    @Test func `rows that the app still shows while it has not been told of a jump do not end it`() async {
        let stage = ShelfStage(0..<60)
        stage.load(60)
        let view = View()
        view.visible = 0..<5
        let watcher = RowsWatcher(stage.list) { Array(view.visible) }
        func settle() async {
            for _ in 0..<3 {
                await turn()
                stage.run()
            }
        }
        stage.run { watcher.look() }
        await settle()
        stage.run { stage.list.jump(to: "30") }
        await settle()
        #expect(stage.list.status.jump != nil)
        view.visible = 30..<35
        stage.run { watcher.look() }
        #expect(stage.list.status.jump == nil)
    }

    @Test func `a view that is at the row of a jump already gets pages until they fill it`() async {
        let stage = ShelfStage(0..<60)
        let view = View()
        let watcher = RowsWatcher(stage.list) { Array(view.visible.clamped(to: 0..<stage.list.snapshot.count)) }
        stage.plan.script([.latency(.seconds(1))])
        stage.run { stage.list.jump(to: "0") }
        await turn()
        stage.run { stage.clock.advance(by: .seconds(1)) }
        for _ in 0..<8 {
            await turn()
            stage.run()
        }
        #expect(stage.list.snapshot.ids == Array(0..<30))
        withExtendedLifetime(watcher) {}
    }

    @Test func `an item that appears lets the list load ahead, and one that is not there does nothing`() {
        let stage = ShelfStage(0..<60) { $0.prefetchDistance = 3 }
        stage.load(10)
        stage.run { stage.list.hint(visible: 99) }
        #expect(stage.list.snapshot.count == 10)
        stage.run { stage.list.hint(visible: 8) }
        #expect(stage.list.snapshot.count == 20)
    }
}
