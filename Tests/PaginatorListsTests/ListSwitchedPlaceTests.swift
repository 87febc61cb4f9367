import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// The place of somebody who reads on while a list switches its scope.
@Suite struct ListSwitchedPlaceTests {
    @Test func `the row that was seen last before the new rows came is the anchor among them`() throws {
        let stage = ListStage(count: 40, pageSize: 10)
        var even = SamplePages(count: 40)
        for number in (0..<20).reversed() { even.remove(2 * number + 1..<2 * number + 2) }
        stage.table.scopes = ["even": even]
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<2) }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "even") }
        stage.after { $0.hint(visible: 6..<8) }
        #expect(stage.ids == Array(0..<10) && stage.updates.last?.anchor == 6)
        try stage.answer()
        #expect(stage.ids == Array(stride(from: 0, to: 20, by: 2)))
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 6)
    }
}
