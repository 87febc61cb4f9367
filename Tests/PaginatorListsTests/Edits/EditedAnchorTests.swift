import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Rows that stand after an item whose identity an edit changes.
@Suite struct EditedAnchorTests {
    @Test func `rows after an item that becomes one of a page above follow that one, and are shown once`() {
        let stage = ListStage(style: .cursor)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        let reply = stage.list.edits.beginInsert(SampleItem(id: -1, text: "reply"), at: .after(2))
        let edit = stage.list.edits.begin(2) { $0 }
        stage.settle()
        #expect(stage.ids == [0, 1, 2, -1, 3])
        // The server has found that both are the same.
        edit.commit(with: SampleItem(id: 0, text: "merged"))
        stage.settle()
        #expect(stage.ids == [0, -1, 1, 3])
        #expect(stage.list.snapshot.first?.text == "merged")
        reply.commit(with: SampleItem(id: 200, text: "sent"))
        stage.settle()
        #expect(stage.ids == [0, 200, 1, 3])
    }
}
