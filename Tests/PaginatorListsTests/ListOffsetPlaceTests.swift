import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Rows that come inside a page, in a list over a source that is addressed by offset: they move the keys of the pages
/// after it, and no other.
@Suite struct ListOffsetPlaceTests {
    @Test func `a row that is reported after a page that counts it moves no key of the newer page that it follows`() {
        let stage = ListStage { $0.initialKey = "6" }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(1, at: 8)
        let row = stage.table.pages.items[8]
        stage.after { $0.loadNext() }
        #expect(stage.ids == [6, 7, 8, 9, 10], "the last page begins a row earlier than its key says")
        stage.after { $0.refresh(.page("6")) }
        stage.after { $0.insertLive([row], at: .after(7)) }
        #expect(stage.ids == [6, 7, row.id, 8, 9, 10])
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["4", "12"])
        #expect(stage.ids == [4, 5, 6, 7, row.id, 8, 9, 10, 11, 12])
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `a row inside the topmost page moves no key above it, however far the list has grown upwards`() {
        let stage = ListStage(pageSize: 10) { $0.initialKey = "60" }
        // As if there were so many pages that no other place is left above the third one.
        stage.list.setRankStep(1 << (Int.bitWidth - 3))
        stage.after { $0.loadNext() }
        for _ in 0..<2 { stage.after { $0.loadPrevious() } }
        #expect(stage.ids == Array(40..<70))
        stage.table.pages.insert(1, at: 46)
        let row = stage.table.pages.items[46]
        stage.after { $0.insertLive([row], at: .after(45)) }
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["30"])
        #expect(stage.ids == stage.table.pages.items[30..<71].map(\.id))
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }
}
