import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Pages that were refreshed together, of which a window has dropped some.
@Suite struct ListPlaceKeptTests {
    private func stage(_ style: SamplePages.Style) -> ListStage {
        let stage = ListStage(style: style, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.refresh(.keepingPlace) }
        for _ in 0..<3 {
            let count = stage.ids.count
            stage.after { $0.hint(visible: count - 8..<count) }
            stage.after { $0.loadNext() }
        }
        #expect(stage.ids == Array(20..<50))
        _ = stage.newKeys()
        return stage
    }

    @Test(arguments: SamplePages.Style.allCases)
    func `come back from the caches`(_ style: SamplePages.Style) {
        let stage = stage(style)
        for _ in 0..<2 { stage.after { $0.loadPrevious() } }
        #expect(stage.ids.first == 0)
        #expect(stage.newKeys() == [])
    }

    @Test(arguments: SamplePages.Style.allCases)
    func `leave no hole without a gap when rows have come above`(_ style: SamplePages.Style) {
        let stage = stage(style)
        stage.table.pages.insert(5)
        stage.paginator.clearAll()
        stage.settle()
        for _ in 0..<2 { stage.after { $0.loadPrevious() } }
        #expect(stage.complaints == [])
    }

    /// Shows three pages of five, the others of which the window has dropped, above or below. Then rows come or go at
    /// the server's start, and the list refreshes what it shows.
    private func refreshed(_ style: SamplePages.Style, rows: Int, isBelow: Bool) -> ListStage {
        let stage = ListStage(count: 200, style: style, pageSize: 10) {
            ($0.windowItems, $0.addressing) = (30, style == .number ? .pageNumber(first: 1) : .offset)
        }
        for _ in 0..<5 { stage.after { $0.loadNext() } }
        for _ in 0..<(isBelow ? 2 : 0) {
            stage.after { $0.hint(visible: 0..<3) }
            stage.after { $0.loadPrevious() }
        }
        #expect(stage.ids == Array(isBelow ? 0..<30 : 20..<50))
        stage.clock.advance(by: .seconds(600))
        if rows > 0 { stage.table.pages.insert(rows) } else { stage.table.pages.remove(0..<(-rows)) }
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
        // Too late for one call, so that only what was dropped tells that the rows follow.
        stage.clock.advance(by: .seconds(600))
        return stage
    }

    @Test(arguments: [SamplePages.Style.number, .offset], [5, -5])
    func `come back above and below without a gap after rows have moved the refreshed ones`(
        _ style: SamplePages.Style, _ rows: Int
    ) {
        for isBelow in [false, true] {
            let stage = refreshed(style, rows: rows, isBelow: isBelow)
            for _ in 0..<2 { stage.after { isBelow ? $0.loadNext() : $0.loadPrevious() } }
            let items = stage.table.pages.items
            #expect(isBelow ? stage.ids.last == items[49].id : stage.ids.first == items[0].id)
            #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
        }
    }

    @Test(arguments: [SamplePages.Style.number, .offset])
    func `come back behind a gap when rows have come again after the refresh`(_ style: SamplePages.Style) {
        let stage = refreshed(style, rows: 5, isBelow: false)
        stage.table.pages.insert(5)
        stage.after { $0.loadPrevious() }
        #expect(stage.list.snapshot.gaps == [10] && stage.complaints == [])
    }

    @Test func `rows that are removed above are told where the refreshed page shares rows with the next`() {
        let stage = ListStage(style: .offset, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.table.pages.remove(0..<5)
        stage.updates = []
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.updates.flatMap(\.notices).contains(.shifted(items: 5)))
    }
}
