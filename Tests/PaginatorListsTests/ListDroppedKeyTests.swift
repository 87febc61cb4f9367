import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Pages that the window has dropped, over a source that is addressed by offset, after rows came or went: the key by which
/// such a page was loaded may be that of another page by now.
@Suite struct ListDroppedKeyTests {
    private func stage(from key: String) -> ListStage {
        ListStage(count: 200, pageSize: 10) { ($0.windowItems, $0.initialKey) = (20, key) }
    }

    /// Shows 40..<60, with the two pages below dropped.
    private func droppedBelow() -> ListStage {
        let stage = stage(from: "40")
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<3) }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 0..<3) }
        #expect(stage.ids == Array(40..<60))
        stage.clock.advance(by: .seconds(1))
        return stage
    }

    /// Shows 40..<60, with the four pages above dropped, of which rows are deleted then.
    private func droppedAbove(removing rows: Range<Int>) -> ListStage {
        let stage = stage(from: "0")
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(40..<60))
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(rows)
        for id in rows { stage.list.edits.remove(id) }
        stage.settle()
        return stage
    }

    private func insertLive(_ count: Int, _ stage: ListStage) {
        stage.table.pages.insert(count)
        let rows = Array(stage.table.pages.items.prefix(count).reversed())
        stage.after { $0.insertLive(rows) }
    }

    @Test func `a page dropped below is not taken for the one above that has its old key`() {
        let stage = droppedBelow()
        insertLive(30, stage)
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["60"])
        #expect(stage.ids.first == 30 && stage.complaints == [])
    }

    @Test func `a page dropped above is not taken for the one below that has its old key`() {
        let stage = droppedAbove(removing: 0..<40)
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["20"])
        #expect(stage.ids.last == 69 && stage.complaints == [])
    }

    @Test func `a dropped page that no cache has comes back without a gap though another page had its key`() {
        let stage = stage(from: "30")
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(40..<60))
        stage.paginator.clear(key: "30")
        // Too late for one call, so that only what was dropped tells that the rows follow.
        stage.clock.advance(by: .seconds(600))
        insertLive(10, stage)
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["40"])
        #expect(stage.ids.first == 30 && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    private func answer(_ stage: ListStage) throws {
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: stage.table.pages.answer(to: call.request))
        stage.settle()
    }

    @Test func `a page loaded below is not taken for a dropped one with its old key`() throws {
        let stage = droppedAbove(removing: 0..<30)
        stage.source.script([.hang], forKey: "30")
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["30"] && stage.ids == Array(40..<60), "one after the other")
        try answer(stage)
        #expect(stage.ids.last == 69)
        while let first = stage.ids.first, first > 30, stage.complaints == [] {
            stage.after { $0.hint(visible: 0..<3) }
            stage.after { $0.loadPrevious() }
            if stage.ids.first == first { break }
        }
        #expect(stage.ids == Array(30..<30 + stage.ids.count) && stage.complaints == [])
    }

    @Test func `a page loaded above is not taken for a dropped one with its old key`() throws {
        let stage = droppedBelow()
        insertLive(30, stage)
        stage.source.script([.hang], forKey: "60")
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["60"] && stage.ids == Array(40..<60), "one after the other")
        try answer(stage)
        #expect(stage.ids.first == 30)
        while let last = stage.ids.last, last < 69, stage.complaints == [] {
            let count = stage.ids.count
            stage.after { $0.hint(visible: count - 3..<count) }
            stage.after { $0.loadNext() }
            if stage.ids.last == last { break }
        }
        #expect(stage.ids == Array(70 - stage.ids.count..<70) && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `beside the page of a jump a dropped page is judged like any other`(isNew: Bool) {
        let stage = ListStage(count: 200, style: .number, pageSize: 10) {
            ($0.windowItems, $0.addressing) = (20, .pageNumber())
        }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(40..<60))
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(0..<5)
        stage.paginator.clear(key: "4")
        if isNew { stage.paginator.clear(key: "3") }
        stage.after { $0.jump(to: "4") }
        #expect(stage.ids.prefix(10) == Array(35..<45)[...])
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == (isNew ? ["3"] : []))
        #expect(stage.ids.prefix(20) == (Array(isNew ? 25..<35 : 20..<30) + Array(35..<45))[...])
        #expect(stage.list.snapshot.gaps == (isNew ? [] : [10]) && stage.complaints == [])
    }

    @Test func `a jump replaces the dropped page that has its key by now`() {
        let stage = droppedAbove(removing: 0..<10)
        stage.after { $0.jump(to: "20") }
        #expect(stage.ids.prefix(10) == Array(30..<40)[...])
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.prefix(20) == Array(20..<40)[...])
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }
}
