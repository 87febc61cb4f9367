import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// More live rows than a page has, which came while the start was not loaded.
@Suite struct ListFarLiveRowsTests {
    @Test(arguments: [SamplePages.Style.cursor, .offset], [PaginatorListPlacement.start, .automatic])
    func `whoever goes to the start finds the newest rows, and a gap after them`(
        _ style: SamplePages.Style, _ placement: PaginatorListPlacement
    ) {
        let stage = ListStage(count: 300, style: style, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        stage.insertLive(100)
        #expect(stage.ids == Array(30..<60) && stage.list.status.newAbove == 100)
        // A cached page would be older than the live rows, which then belong above it.
        stage.paginator.clear(key: stage.table.pages.firstKey)
        stage.after { $0.jump(to: stage.table.pages.firstKey, placement: placement) }
        #expect(Array(stage.ids.prefix(11)) == stage.firstRows(10) + [30])
        #expect(stage.list.status.newAbove == 0 && stage.complaints == [])
    }

    @Test func `whoever scrolls up to a first page that the caches have lost does so, too`() {
        let stage = ListStage(count: 300, style: .cursor, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(10..<40))
        stage.insertLive(30)
        stage.paginator.clear(key: "start")
        stage.settle()
        stage.after { $0.hint(visible: 0..<3) }
        stage.after { $0.loadPrevious() }
        #expect(Array(stage.ids.prefix(11)) == stage.firstRows(10) + [10])
        #expect(stage.list.snapshot.gaps == [10] && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `rows that have moved behind the first page still count in the offsets`(isTold: Bool) {
        let stage = ListStage(count: 200, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.insertLive(30)
        if isTold { stage.after { $0.edits.remove(200) } }
        if isTold { stage.table.pages.remove(0..<1) }
        stage.after { $0.refresh(.firstPage) }
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == [isTold ? "59" : "60"])
        #expect(stage.ids == stage.firstRows(10) + Array(10..<40))
        #expect(stage.list.snapshot.gaps == [10] && stage.complaints == [])
    }

    @Test func `a row that the first page shows to be gone counts no more`() {
        let stage = ListStage(count: 200, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.insertLive(1)
        stage.table.pages.remove(0..<1)
        stage.after { $0.refresh(.firstPage) }
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["30"])
        #expect(stage.ids == Array(0..<40) && stage.complaints == [])
    }
}
