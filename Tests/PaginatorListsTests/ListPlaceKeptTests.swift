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

    @Test func `rows that are removed above are told where the refreshed page shares rows with the next`() {
        let stage = ListStage(style: .offset, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.table.pages.remove(0..<5)
        stage.updates = []
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.updates.flatMap(\.notices).contains(.shifted(items: 5)))
    }
}
