import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Edits of rows in a list over a source that is addressed by offset: only rows that are added or removed move keys.
@Suite struct ListOffsetEditTests {
    @Test func `a changed row costs no request for a next page that memory has`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.paginator.prefetch(keys: ["10"], pageSize: 10)
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        _ = stage.newKeys()
        stage.after { $0.edits.update(3) { SampleItem(id: $0.id, text: "changed") } }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == [])
        #expect(stage.ids == Array(0..<20) && stage.list.snapshot[3].text == "changed")
    }

    @Test func `a new row moves the next key once, though the source confirms a change of it before the row itself`() {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        let insert = stage.list.edits.beginInsert(SampleItem(id: 100, text: "draft"))
        let change = stage.list.edits.begin(100) { SampleItem(id: $0.id, text: "changed") }
        stage.settle()
        #expect(stage.ids == [100] + Array(0..<10))
        stage.table.pages.insert(1)
        stage.after { _ in change.commit(with: SampleItem(id: 100, text: "confirmed")) }
        stage.after { _ in insert.commit() }
        #expect(stage.list.snapshot.first?.text == "confirmed")
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["11"])
        #expect(stage.ids == stage.firstRows(21) && stage.list.snapshot.gaps == [])
    }

    @Test(arguments: [PaginatorRowPlace<Int>.head, .after(2)])
    func `a row whose new identity the source has pushed before it answers moves no key and is counted once`(
        _ place: PaginatorRowPlace<Int>
    ) {
        let stage = ListStage(count: 20, isOneWay: true, pageSize: 4)
        stage.after { $0.loadNext() }
        let edit = stage.list.edits.begin(1) { SampleItem(id: $0.id, text: "sending") }
        stage.after { $0.insertLive([SampleItem(id: 50, text: "pushed")], at: place) }
        stage.table.pages.items[1] = SampleItem(id: 50, text: "sent")
        stage.after { _ in edit.commit(with: SampleItem(id: 50, text: "sent")) }
        #expect(stage.ids == [0, 50, 2, 3] && stage.list.status.total == 20)
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["4"])
        #expect(stage.ids == [0, 50] + Array(2..<8) && stage.list.snapshot.gaps == [])
    }

    @Test func `a removed row that has come back further down hides no row between old and new pages`() throws {
        let stage = ListStage(pageSize: 10)
        stage.paginator.prefetch(keys: ["20"], pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.edits.remove(5) }
        let row = stage.table.pages.items.remove(at: 5)
        stage.table.pages.items.insert(row, at: 32)
        try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 10, keys: ["30"], page: 0, item: 0))
        stage.settle()
        #expect(stage.ids == [31, 32, 5] + Array(33..<40))
        // Memory has the page above as it was before the removal, so it lacks the row 30.
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.count > 10 && stage.complaints == [])
    }
}
