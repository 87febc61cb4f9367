import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What is reported of rows that stay during a switch until the new ones have come.
@Suite struct ListQuietSwitchTests {
    /// A view that hints in each layout would otherwise lay out for ever.
    @Test func `an edit of a row that stays is reported once, and hints that change nothing are not`() {
        let stage = ListStage(pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "other") }
        #expect(stage.ids == Array(0..<20))
        stage.after { $0.hint(visible: 0..<5) }
        let count = stage.updates.count
        let edit = stage.list.edits.begin(3) { SampleItem(id: $0.id, text: "edited") }
        stage.settle()
        #expect(stage.updates.count == count + 1)
        #expect(stage.list.snapshot.first { $0.id == 3 }?.text == "edited")
        for _ in 0..<3 { stage.after { $0.hint(visible: 0..<5) } }
        #expect(stage.updates.count == count + 1)
        edit.rollBack()
        stage.settle()
        #expect(stage.updates.count == count + 2)
        #expect(stage.list.snapshot.first { $0.id == 3 }?.text != "edited")
    }
}
