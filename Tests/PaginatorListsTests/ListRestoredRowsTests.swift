import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What a list knows of rows that no cached page has, when it comes back to a bookmark.
@Suite struct ListRestoredRowsTests {
    @Test(arguments: [0, 1])
    func `a list that is restored shows or counts what was inserted since its cached pages came`(_ page: Int) throws {
        let stage = ListStage(style: .cursor, pageSize: 4)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.edits.insert(SampleItem(id: 77, text: "new")) }
        let later = stage.makeOtherList { $0.pageSize = 4 }
        stage.settle()
        _ = stage.newKeys()
        let keys = ["start", "after:3"]
        try later.restore(PaginatorListBookmark(scope: "", pageSize: 4, keys: keys, page: page, item: 0))
        stage.settle()
        #expect(stage.newKeys() == [])
        #expect(later.snapshot.map(\.id) == (page == 0 ? [77, 0, 1, 2, 3] : [4, 5, 6, 7]))
        #expect(later.status.newAbove == page)
        later.loadPrevious()
        stage.settle()
        #expect(later.snapshot.first?.id == 77)
    }

    @Test func `a row that a page above the restored one may have is not counted again when its insert ends`() throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        let insert = stage.list.edits.beginInsert(SampleItem(id: 500, text: "mine"))
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.items.insert(SampleItem(id: 500, text: "mine"), at: 0)
        stage.after { $0.refresh() }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        let keys = ["0", "10", "20", "30"]
        try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 10, keys: keys, page: 3, item: 0))
        stage.settle()
        insert.commit()
        stage.settle()
        #expect(stage.ids == Array(29..<39) && stage.list.status.newAbove == 0)
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["40"] && stage.ids == Array(29..<49))
        #expect(stage.list.snapshot.gaps == [])
    }

    @Test func `a row that the source has pushed since keeps its value when a cached page is restored`() throws {
        let stage = ListStage(style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        stage.after { $0.insertLive([SampleItem(id: 2, text: "newer")]) }
        try stage.list.restore(PaginatorListBookmark(scope: "", pageSize: 4, keys: ["start"], page: 0, item: 0))
        stage.settle()
        #expect(stage.ids == [0, 1, 2, 3] && stage.newKeys() == ["start"])
        #expect(stage.list.snapshot[2].text == "newer")
    }
}
