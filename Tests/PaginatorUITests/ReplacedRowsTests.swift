import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// Where somebody is whose rows have all gone because pages came again.
@MainActor @Suite struct ReplacedRowsTests {
    /// An adapter of a view that has scrolled to a row.
    private func adapter(
        _ stage: ShelfStage, _ view: FakeRowsView, at row: Int
    ) -> PaginatorListAdapter<SampleItem, Int> {
        let adapter = PaginatorListAdapter(stage.list, view)
        stage.run()
        view.offset = view.top(row)
        stage.run { adapter.rowsDidMove() }
        return adapter
    }

    private func refresh(_ refresh: PaginatorListRefresh, _ stage: ShelfStage) {
        stage.plan.script([.latency(.seconds(1))])
        stage.run { stage.list.refresh(refresh) }
        stage.run { stage.clock.advance(by: .seconds(1)) }
    }

    private func begins(at id: Int, _ view: FakeRowsView) -> Bool {
        view.screen.first.map { $0.id == id && $0.top == 0 } ?? false
    }

    @Test func `a refresh of everything shows the first row, also if it leaves most rows but none of the screen`() {
        let (stage, view) = (ShelfStage(0..<18), FakeRowsView())
        stage.load(18)
        let adapter = adapter(stage, view, at: 12)
        refresh(.all, stage)
        #expect(view.ids == Array(0..<10))
        #expect(begins(at: 0, view))
        withExtendedLifetime(adapter) {}
    }

    @Test func `a page that comes again with other rows leaves the screen where it is, also if it had most rows`() {
        let (stage, view) = (ShelfStage(0..<15), FakeRowsView())
        stage.load(15)
        let adapter = adapter(stage, view, at: 2)
        stage.shelf.put(Array(100..<110) + Array(10..<15))
        refresh(.firstPage, stage)
        #expect(begins(at: 102, view))
        withExtendedLifetime(adapter) {}
    }

    @Test func `an only page that comes again without any of its rows is shown from the first one`() {
        let (stage, view) = (ShelfStage(0..<60), FakeRowsView())
        stage.load(10)
        let adapter = adapter(stage, view, at: 2)
        stage.shelf.put(100..<160)
        refresh(.firstPage, stage)
        #expect(view.ids == Array(100..<110))
        #expect(begins(at: 100, view))
        withExtendedLifetime(adapter) {}
    }

    enum Change: CaseIterable { case refreshed, reset, switched }

    @Test(arguments: Change.allCases)
    func `a screen that is told of everything only once other rows have come shows the first one`(change: Change) {
        let stage = ShelfStage(0..<60)
        stage.load(60)
        var screen = PaginatorScreen(stage.list.snapshot, stage.list.status)
        _ = screen.show(40..<46)
        stage.run {
            switch change {
            case .refreshed: stage.list.refresh()
            case .reset:
                stage.list.reset()
                stage.list.loadNext()
            case .switched: stage.list.show(scope: "")
            }
        }
        #expect(stage.list.snapshot.ids == Array(0..<10))
        let scroll = screen.follow(stage.list.snapshot, stage.list.status, anchor: nil)
        #expect(scroll == .goToStart)
    }
}
