import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Pages that a window drops and brings back, over a source that is addressed by offset: the pages after them are asked
/// for by the offsets that they have by now, so no row is missing, and none is loaded twice.
@Suite struct ListReturningPageTests {
    @Test func `a page in which a row was removed moves the following keys by one, however often it comes back`() {
        let stage = ListStage(count: 200, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.remove(5..<6)
        stage.after { $0.edits.remove(5) }
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(10..<30))
        _ = stage.newKeys()
        for _ in 0..<2 {
            stage.after { $0.loadPrevious() }
            #expect(stage.ids == Array(0..<20).filter { $0 != 5 })
            stage.after { $0.loadNext() }
            #expect(stage.ids == Array(10..<30))
        }
        #expect(stage.newKeys() == [])
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["29"])
        #expect(stage.ids == Array(20..<40) && stage.complaints == [])
    }

    @Test func `a page dropped below that counted a row before it was reported leads on to the right page`() {
        let stage = ListStage(count: 60, pageSize: 10) { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        stage.table.pages.insert(1)
        let row = stage.table.pages.items[0]
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == Array(0..<19))
        stage.after { $0.insertLive([row]) }
        #expect(stage.ids == stage.firstRows(20))
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == [] && stage.ids.last == 28)
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["30"])
        #expect(stage.ids.last == 38 && stage.complaints == [])
    }
}
