import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Pages that the window has dropped, over a source that is addressed by offset, after rows came or went: the key by which
/// such a page was loaded may be that of another page by now.
@Suite struct ListDroppedKeyTests {
    private func stage(from key: String, isOneWay: Bool = false) -> ListStage {
        ListStage(count: 200, isOneWay: isOneWay, pageSize: 10) { ($0.windowItems, $0.initialKey) = (20, key) }
    }

    /// Shows 40..<60, with the two pages below dropped.
    private func droppedBelow(isOneWay: Bool = false) -> ListStage {
        let stage = stage(from: "40", isOneWay: isOneWay)
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<3) }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.after { $0.hint(visible: 0..<3) }
        #expect(stage.ids == Array(40..<60))
        stage.clock.advance(by: .seconds(1))
        return stage
    }

    /// Shows 40..<60, with the four pages above dropped, of which rows are deleted then.
    private func droppedAbove(removing rows: Range<Int> = 0..<0, isOneWay: Bool = false) -> ListStage {
        let stage = stage(from: "0", isOneWay: isOneWay)
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(40..<60))
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(rows)
        for id in rows { stage.list.edits.remove(id) }
        stage.settle()
        return stage
    }

    @Test(arguments: [false, true])
    func `a page dropped below is not taken for the one above that has its old key`(isOneWay: Bool) {
        let stage = droppedBelow(isOneWay: isOneWay)
        stage.insertLive(30)
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["60"])
        #expect(stage.ids.first == 30 && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `a page dropped above is not taken for the one below that has its old key`(isOneWay: Bool) {
        let stage = droppedAbove(removing: 0..<40, isOneWay: isOneWay)
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["20"])
        #expect(stage.ids.last == 69 && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `a dropped page that no cache has comes back without a gap though another page had its key`(isOneWay: Bool) {
        let stage = stage(from: "30", isOneWay: isOneWay)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(40..<60))
        stage.paginator.clear(key: "30")
        // Too late for one call, so that only what was dropped tells that the rows follow.
        stage.clock.advance(by: .seconds(600))
        stage.insertLive(10)
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["40"])
        #expect(stage.ids.first == 30 && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `a page loaded below is not taken for a dropped one with its old key`(isOneWay: Bool) throws {
        let stage = droppedAbove(removing: 0..<30, isOneWay: isOneWay)
        stage.source.script([.hang], forKey: "30")
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["30"] && stage.ids == Array(40..<60), "one after the other")
        try stage.answer()
        #expect(stage.ids.last == 69)
        while let first = stage.ids.first, first > 30, stage.complaints == [] {
            stage.after { $0.hint(visible: 0..<3) }
            stage.after { $0.loadPrevious() }
            if stage.ids.first == first { break }
        }
        #expect(stage.ids == Array(30..<30 + stage.ids.count) && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `a page loaded above is not taken for a dropped one with its old key`(isOneWay: Bool) throws {
        let stage = droppedBelow(isOneWay: isOneWay)
        stage.insertLive(30)
        stage.source.script([.hang], forKey: "60")
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["60"] && stage.ids == Array(40..<60), "one after the other")
        try stage.answer()
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
    func `a row deleted on a loaded page moves the key of a page dropped below, not of one above`(isAbove: Bool) {
        let stage = isAbove ? droppedAbove() : droppedBelow()
        stage.table.pages.remove(45..<46)
        stage.after { $0.edits.remove(45) }
        // No cache has it any more, so the source is asked by its current key.
        stage.paginator.clear(key: isAbove ? "30" : "60")
        stage.settle()
        _ = stage.newKeys()
        stage.after { isAbove ? $0.loadPrevious() : $0.loadNext() }
        #expect(stage.newKeys() == [isAbove ? "30" : "59"])
        #expect(isAbove ? stage.ids.first == 30 : stage.ids.last == 69)
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `loading all waits for a page above that is on its way by the next key`() throws {
        let stage = droppedBelow()
        stage.insertLive(30)
        stage.source.script([.hang], forKey: "60")
        stage.after { $0.loadPrevious() }
        let ends = Guarded<[PaginatorError?]>([])
        stage.list.loadAll { error in ends.withLock { $0.append(error) } }
        stage.settle()
        #expect(ends.withLock { $0.isEmpty })
        try stage.answer()
        #expect(stage.ids.last == 199 && stage.complaints == [])
        #expect(ends.withLock { $0.count == 1 && $0[0] == nil })
    }

    @Test func `an invalidated page that was dropped is loaded again, also by another key`() {
        let stage = droppedAbove()
        stage.insertLive(3)
        stage.paginator.invalidate(.key("30"))
        stage.settle()
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["33"])
        #expect(stage.ids.first == 30 && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `a stale page that was dropped comes back while the source fails, and is renewed by a retry`() {
        let stage = droppedAbove()
        stage.insertLive(3)
        stage.paginator.invalidate(.key("30"))
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "33")
        stage.settle()
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["33"])
        #expect(stage.ids.first == 30 && stage.list.status.previous == .idle)
        #expect(stage.list.status.refresh.error?.code == .sourceFailed)
        stage.after { $0.retry() }
        #expect(stage.newKeys() == ["33"] && stage.list.status.refresh == .idle)
        #expect(stage.ids.first == 30 && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `a stale page that was dropped comes back offline, and is renewed when the connection is back`() {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(count: 200, pageSize: 10, connectivity: connectivity) { $0.windowItems = 20 }
        for _ in 0..<6 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(1))
        stage.insertLive(3)
        stage.paginator.invalidate(.key("30"))
        connectivity.set(.offline)
        stage.settle()
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == [] && stage.ids.first == 30)
        connectivity.set([])
        stage.settle()
        #expect(stage.newKeys() == ["33"] && stage.list.status.refresh == .idle)
        #expect(stage.ids.first == 30 && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `a page above whose key has changed comes back, not the one that had this key before`() {
        let stage = ListStage(count: 200, pageSize: 10) { $0.windowItems = 30 }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(10..<15)
        stage.table.pages.remove(0..<5)
        for id in Array(0..<5) + Array(10..<15) { stage.list.edits.remove(id) }
        stage.settle()
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(30..<60))
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["10"])
        #expect(stage.ids.first == 20 && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test(arguments: [SamplePages.Style.offset, .number], [0, 1, 15])
    func `a dropped page does not join one that the source brought again with other rows at its start`(
        _ style: SamplePages.Style, removed: Int
    ) {
        let stage = ListStage(count: 60, style: style, pageSize: 10) {
            $0.windowItems = 20
            if style == .number { $0.addressing = .pageNumber() }
        }
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(20..<40))
        stage.paginator.clear(key: style == .number ? "2" : "10")
        stage.settle()
        // Nothing but the pages tells of it.
        stage.table.pages.remove(0..<removed)
        _ = stage.newKeys()
        for _ in 0..<2 { stage.after { $0.loadPrevious() } }
        // The first page is still cached.
        #expect(stage.newKeys() == [style == .number ? "2" : "10"])
        #expect(stage.ids.prefix(11) == (Array(0..<10) + [10 + removed])[...])
        #expect(stage.list.snapshot.gaps.contains(10) == (removed > 0))
        for _ in 0..<4 where !stage.list.snapshot.gaps.isEmpty {
            stage.after { $0.fillGap(at: $0.snapshot.gaps[0]) }
        }
        #expect(stage.ids == stage.firstRows(stage.ids.count) && stage.list.snapshot.gaps == [])
    }

    @Test(arguments: [(.offset, ["0", "10"]), (.cursor, ["after:9"])] as [(SamplePages.Style, [String])])
    func `a dropped page joins one that the source brought again if it is as new, or a cursor leads from it`(
        _ style: SamplePages.Style, _ lost: [String]
    ) {
        let stage = ListStage(count: 60, style: style, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<4 { stage.after { $0.loadNext() } }
        for key in lost { stage.paginator.clear(key: key) }
        stage.settle()
        stage.table.pages.remove(10..<11)
        _ = stage.newKeys()
        for _ in 0..<2 { stage.after { $0.loadPrevious() } }
        #expect(stage.newKeys() == Array(lost.reversed()))
        #expect(stage.ids == stage.firstRows(20) && stage.list.snapshot.gaps == [])
    }

    @Test func `a page dropped above joins the one whose first row was removed since`() {
        let stage = ListStage(count: 60, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(10..<30))
        stage.table.pages.remove(10..<11)
        stage.after { $0.edits.remove(10) }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(30..<50))
        _ = stage.newKeys()
        for _ in 0..<3 { stage.after { $0.loadPrevious() } }
        #expect(stage.newKeys() == [] && stage.ids == stage.firstRows(19))
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
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

    @Test func `the page of a jump does not replace a dropped one that came back under its old key meanwhile`() throws {
        let stage = droppedAbove()
        stage.insertLive(3)
        stage.source.script([.hang], forKey: "30")
        stage.after { $0.jump(to: "30") }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.first == 30)
        try stage.answer()
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == stage.table.pages.items[30].id)
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `a jump replaces the dropped page that has its key by now`(isOneWay: Bool) {
        let stage = droppedAbove(removing: 0..<10, isOneWay: isOneWay)
        stage.after { $0.jump(to: "20") }
        #expect(stage.ids.prefix(10) == Array(30..<40)[...])
        stage.after { $0.loadPrevious() }
        #expect(stage.ids.prefix(20) == Array(20..<40)[...])
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test(arguments: [false, true])
    func `rows removed on a dropped page that a jump replaces move the following keys only once`(isOneWay: Bool) {
        let stage = droppedAbove(removing: 30..<35, isOneWay: isOneWay)
        stage.after { $0.jump(to: "30") }
        #expect(stage.ids.prefix(10) == Array(35..<45)[...])
        _ = stage.newKeys()
        // The first of these may come from the window's dropped pages.
        for _ in 0..<3 {
            stage.after { $0.hint(visible: stage.ids.count - 3..<stage.ids.count) }
            stage.after { $0.loadNext() }
        }
        #expect(stage.newKeys().contains("55"))
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }
}
