import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Rows that no page has: they stay where they stand, and go only when somebody takes them away.
@Suite struct ListLocalRowsTests {
    private func stage() -> ListStage {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        return stage
    }

    private func item(_ id: Int, _ text: String = "") -> SampleItem { SampleItem(id: id, text: text) }

    private func text(_ id: Int, _ stage: ListStage) -> String? {
        stage.list.snapshot.first { $0.id == id }?.text
    }

    // MARK: - Rows anchored after others

    @Test(arguments: [false, true])
    func `a row stays when the row that it follows is pushed before its own answer comes`(isPage: Bool) {
        let stage = stage()
        let first = stage.list.edits.beginInsert(item(-1, "first"), at: .after(1))
        let second = stage.list.edits.beginInsert(item(-2, "second"), at: .after(-1))
        stage.settle()
        #expect(stage.ids == [0, 1, -1, -2, 2, 3])
        if isPage {
            stage.source.script([.page(stage.page("0", [0, 1, 70, 2], next: "4")).insideFetch], forKey: "0")
            stage.after { $0.refresh(.firstPage) }
        } else {
            stage.after { $0.insertLive([item(70, "pushed")], at: .after(1)) }
        }
        first.commit(with: item(70, "sent"))
        stage.settle()
        #expect(Array(stage.ids.prefix(4)) == [0, 1, 70, -2])
        second.commit(with: item(71, "sent too"))
        stage.settle()
        #expect(Array(stage.ids.prefix(4)) == [0, 1, 70, 71])
    }

    @Test(arguments: [PaginatorRowPlace<Int>.head, .after(1)])
    func `a row stays when the row that it follows is rolled back`(place: PaginatorRowPlace<Int>) {
        let stage = stage()
        let first = stage.list.edits.beginInsert(item(-1), at: place)
        _ = stage.list.edits.beginInsert(item(-2), at: .after(-1))
        _ = stage.list.edits.beginInsert(item(-3), at: place)
        stage.settle()
        let before = stage.ids
        first.rollBack()
        stage.settle()
        #expect(stage.ids == before.filter { $0 != -1 })
    }

    @Test func `a pending row stays when a refresh takes the live row that it follows`() {
        let stage = stage()
        stage.after { $0.insertLive([item(50)]) }
        let reply = stage.list.edits.beginInsert(item(-1), at: .after(50))
        stage.settle()
        #expect(stage.ids == [50, -1, 0, 1, 2, 3])
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh() }
        #expect(stage.ids == [-1, 0, 1, 2, 3])
        reply.rollBack()
        stage.settle()
        #expect(stage.ids == [0, 1, 2, 3])
    }

    @Test(arguments: [PaginatorListRefresh.all, .firstPage, .keepingPlace])
    func `rows that wait for the server stay when the source has removed the rows that they follow`(
        _ refresh: PaginatorListRefresh
    ) {
        let stage = ListStage(style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        let replies = [0, 1, 2].map { stage.list.edits.beginInsert(item(-1 - $0), at: .after($0)) }
        stage.settle()
        #expect(stage.ids == [0, -1, 1, -2, 2, -3, 3])
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(1..<2)
        stage.after { $0.refresh(refresh) }
        #expect(stage.ids == [0, -1, -2, 2, -3, 3, 4])
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(0..<2)
        stage.after { $0.refresh(refresh) }
        #expect(stage.ids == [-1, -2, -3, 3, 4, 5, 6])
        replies[1].commit(with: item(70, "sent"))
        stage.settle()
        #expect(stage.ids == [-1, 70, -3, 3, 4, 5, 6])
    }

    @Test(arguments: [SamplePages.Style.offset, .cursor], [false, true])
    func `a row after the first item of a later page stays when that item is removed`(
        _ style: SamplePages.Style, _ isEdit: Bool
    ) {
        let stage = ListStage(style: style, pageSize: 4)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        _ = stage.list.edits.beginInsert(item(-1), at: .after(3))
        _ = stage.list.edits.beginInsert(item(-2), at: .after(4))
        stage.settle()
        #expect(stage.ids == [0, 1, 2, 3, -1, 4, -2, 5, 6, 7])
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(4..<5)
        if isEdit { stage.after { $0.edits.remove(4) } }
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.ids == [0, 1, 2, 3, -1, -2, 5, 6, 7, 8])
    }

    @Test(arguments: [["0", "4"], ["4", "0"]])
    func `a row stays with the row that it follows when that moves to the page before`(_ answers: [String]) throws {
        let stage = ListStage(pageSize: 4)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        _ = stage.list.edits.beginInsert(item(-1), at: .after(4))
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(0..<1)
        for key in answers { stage.source.script([.hang], forKey: key) }
        stage.after { $0.refresh(.keepingPlace) }
        for key in answers { try stage.answer(key) }
        #expect(stage.ids == [1, 2, 3, 4, -1, 5, 6, 7, 8])
    }

    @Test func `a row stays when its page comes, without the item that it follows, before the page above`() throws {
        let stage = ListStage(style: .cursor, pageSize: 4)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        _ = stage.list.edits.beginInsert(item(-1), at: .after(4))
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(4..<5)
        let keys = ["after:3", "start"]
        for key in keys { stage.source.script([.hang], forKey: key) }
        stage.after { $0.refresh(.keepingPlace) }
        for key in keys { try stage.answer(key) }
        #expect(stage.ids == [0, 1, 2, 3, -1, 5, 6, 7, 8])
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0]])
    func `a row moves to the head when all items up to the one that it follows are removed, in any order`(
        _ removals: [Int]
    ) {
        let stage = ListStage(style: .cursor, pageSize: 2)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        _ = stage.list.edits.beginInsert(item(-1), at: .after(2))
        for id in removals { stage.after { $0.edits.remove(id) } }
        #expect(stage.ids == [-1, 3])
        stage.table.pages.remove(0..<3)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh() }
        #expect(stage.ids == [-1, 3, 4])
    }

    @Test func `rows after the first items stay below the rows at the head when the items are removed`() {
        let stage = ListStage(style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        stage.after { $0.insertLive([item(90)]) }
        for id in 0...1 { _ = stage.list.edits.beginInsert(item(-1 - id), at: .after(id)) }
        stage.settle()
        #expect(stage.ids == [90, 0, -1, 1, -2, 2, 3])
        stage.after { $0.edits.remove(0) }
        #expect(stage.ids == [90, -1, 1, -2, 2, 3])
        stage.after { $0.edits.remove(1) }
        #expect(stage.ids == [90, -1, -2, 2, 3])
    }

    @Test func `a row that waits for the server stays when the source has removed all others`() {
        let stage = ListStage(count: 1, style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        let reply = stage.list.edits.beginInsert(item(-1), at: .after(0))
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.remove(0..<1)
        stage.after { $0.refresh() }
        #expect(stage.ids == [-1])
        reply.rollBack()
        stage.settle()
        #expect(stage.ids == [])
    }

    @Test func `a row stays with the row that it follows when that has moved to the next page`() {
        let stage = ListStage(pageSize: 4)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        _ = stage.list.edits.beginInsert(item(-1), at: .after(3))
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.insert(1)
        stage.after { $0.refresh(.keepingPlace) }
        #expect(Array(stage.ids.dropFirst()) == [0, 1, 2, 3, -1, 4, 5, 6])
    }

    @Test(arguments: [0, 1])
    func `a row after an item that was removed is still there when its page comes back`(_ anchor: Int) {
        let stage = stageWithWindow()
        stage.after { $0.edits.insert(item(50), at: .after(anchor)) }
        stage.after { $0.edits.remove(anchor) }
        let shown = stage.ids
        #expect(shown == (anchor == 0 ? [50] : [0, 50]) + Array((anchor + 1)..<8))
        stage.after { $0.loadNext() }
        #expect(stage.ids.first == 4)
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == shown)
    }

    @Test(arguments: [PaginatorListRefresh.all, .firstPage])
    func `live rows that follow each other go together when a refresh of their place lacks them`(
        _ refresh: PaginatorListRefresh
    ) {
        let stage = stage()
        stage.after { $0.insertLive([item(50)], at: .after(1)) }
        for id in 51..<60 { stage.after { $0.insertLive([item(id)], at: .after(id - 1)) } }
        #expect(stage.ids == [0, 1] + Array(50..<60) + [2, 3])
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(refresh) }
        #expect(stage.ids == [0, 1, 2, 3])
    }

    @Test func `who looks at a row still does when the source has given it another identity`() {
        let stage = stage()
        let edit = stage.list.edits.beginInsert(item(-1, "draft"), at: .after(0))
        stage.settle()
        stage.after { $0.hint(visible: 1..<4) }
        edit.commit(with: item(77, "sent"))
        stage.after { $0.insertLive([item(90), item(91)]) }
        #expect(stage.ids == [91, 90, 0, 77, 1, 2, 3] || stage.ids == [90, 91, 0, 77, 1, 2, 3])
        #expect(stage.updates.last?.anchor == 3)
    }

    @Test(arguments: [SamplePages.Style.offset, .cursor])
    func `a live row at the tail that a refresh lacks is no longer counted`(_ style: SamplePages.Style) {
        let stage = ListStage(count: 3, style: style, pageSize: 4)
        let key = stage.table.pages.firstKey
        let rows = (0..<3).map { item($0) }
        stage.source.script([.page(PaginatorPage(content: rows, key: key, total: 3)).insideFetch], forKey: key)
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.insertLive([item(50)], at: .tail) }
        #expect(stage.ids == [0, 1, 2, 50] && stage.list.status.total == 4)
        stage.clock.advance(by: .seconds(1))
        // This time the server tells no total.
        stage.after { $0.refresh(.page(key)) }
        #expect(stage.ids == [0, 1, 2] && stage.list.status.total == 3)
    }

    @Test(arguments: [true, false])
    func `rows at the tail stay when a jump leads past the end`(isLive: Bool) {
        let stage = ListStage(count: 15, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.insert(2, at: 15)
        let rows = stage.table.pages.items.suffix(2)
        if isLive {
            stage.after { $0.insertLive(Array(rows), at: .tail) }
        } else {
            for row in rows { stage.list.edits.beginInsert(row, at: .tail).commit() }
            stage.settle()
        }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.jump(to: "17") }
        #expect(stage.ids == Array(0..<17) && stage.list.status.next == .endReached)
        #expect(stage.complaints == [])
        // The page before the end tells of them, and of their removal.
        stage.table.pages.remove(15..<17)
        stage.after { $0.refresh(.page("10")) }
        #expect(stage.ids == Array(0..<15))
    }

    @Test(arguments: [SamplePages.Style.cursor, .offset])
    func `a row that was inserted optimistically is counted once it is committed`(_ style: SamplePages.Style) {
        let stage = ListStage(count: 100, style: style, isOneWay: true, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        let draft = stage.list.edits.beginInsert(item(500))
        stage.settle()
        #expect(stage.ids.first == 500 && stage.list.status.total == 100)
        draft.commit()
        stage.settle()
        #expect(stage.ids.first == 500 && stage.list.status.total == 101)
        stage.table.pages.insert(1)
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == [style == .offset ? "11" : "after:9"])
    }

    @Test(arguments: [SamplePages.Style.cursor, .offset])
    func `a live row that came while everything was refreshed is counted once`(_ style: SamplePages.Style) throws {
        let stage = ListStage(count: 100, style: style, isOneWay: true, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.clock.advance(by: .seconds(1))
        stage.source.script([.hang], forKey: stage.table.pages.firstKey)
        stage.after { $0.refresh(.all) }
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.insertLive([item(700)]) }
        #expect(stage.list.status.total == 101)
        try stage.answer()
        #expect(stage.ids == [700] + Array(0..<10) && stage.list.status.total == 101)
    }

    @Test func `of two values of one row in a call the newer one is shown`() {
        let stage = stage()
        stage.after { $0.insertLive([item(50, "older"), item(50, "newer")]) }
        #expect(stage.ids == [50, 0, 1, 2, 3] && text(50, stage) == "newer")
    }

    // MARK: - Inserts of what is there

    @Test func `an optimistic insert of an item that the list has is gone when it is rolled back`() {
        let stage = stage()
        let old = text(2, stage)
        let edit = stage.list.edits.beginInsert(item(2, "optimistic"))
        stage.settle()
        #expect(text(2, stage) == "optimistic")
        #expect(stage.list.snapshot.isPending(at: 2))
        edit.rollBack()
        stage.settle()
        #expect(text(2, stage) == old)
        #expect(stage.ids == [0, 1, 2, 3])
        #expect(!stage.list.snapshot.isPending(at: 2))
    }

    @Test func `an optimistic insert of an item that the list has can be committed, as another item too`() {
        let stage = stage()
        stage.list.edits.beginInsert(item(2, "optimistic")).commit(with: item(2, "server"))
        stage.settle()
        #expect(text(2, stage) == "server")
        let old = text(3, stage)
        stage.list.edits.beginInsert(item(3, "copy"), at: .after(3)).commit(with: item(80, "the copy"))
        stage.settle()
        #expect(text(3, stage) == old)
        #expect(stage.ids == [0, 1, 2, 3, 80])
    }

    @Test func `an insert brings back an item that was removed, until it is rolled back`() {
        let stage = stage()
        stage.after { $0.edits.remove(1) }
        #expect(stage.ids == [0, 2, 3])
        let undo = stage.list.edits.beginInsert(item(1, "again"), at: .after(0))
        stage.settle()
        #expect(stage.ids == [0, 1, 2, 3])
        undo.rollBack()
        stage.settle()
        #expect(stage.ids == [0, 2, 3])
    }

    @Test(arguments: [true, false])
    func `a removed item that is inserted elsewhere is there, and no longer in its former place`(isLive: Bool) {
        let stage = ListStage(style: .cursor, pageSize: 4)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.after { $0.edits.remove(6) }
        stage.after { isLive ? $0.insertLive([item(6, "moved")]) : $0.edits.insert(item(6, "moved")) }
        #expect(stage.ids == [6, 0, 1, 2, 3, 4, 5, 7])
        #expect(text(6, stage) == "moved")
    }

    private func stageWithWindow() -> ListStage {
        let stage = ListStage(style: .cursor, pageSize: 4) { $0.windowItems = 8 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(0..<8))
        return stage
    }

    @Test func `a removed item that is inserted again is still there after the window has dropped its page`() {
        let stage = stageWithWindow()
        stage.after { $0.edits.remove(1) }
        let undo = stage.list.edits.beginInsert(item(1, "again"), at: .after(2))
        stage.settle()
        #expect(stage.ids == [0, 2, 1, 3, 4, 5, 6, 7])
        stage.after { $0.loadNext() }
        #expect(stage.ids.first == 4)
        undo.commit()
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == [0, 2, 1, 3, 4, 5, 6, 7])
    }

    @Test func `an insert of an item whose page the window has dropped gives the item its value`() {
        let stage = stageWithWindow()
        let insert = stage.list.edits.beginInsert(item(1, "new"))
        stage.after { $0.loadNext() }
        #expect(stage.ids.first == 4)
        insert.commit()
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == Array(0..<8) && text(1, stage) == "new")
    }

    @Test func `a row that the server has pushed stays when its own request fails`() {
        let stage = stage()
        let sent = stage.list.edits.beginInsert(item(90, "mine"))
        stage.after { $0.insertLive([item(90, "pushed")]) }
        sent.rollBack()
        stage.settle()
        #expect(stage.ids == [90, 0, 1, 2, 3])
        #expect(text(90, stage) == "pushed")
    }
}
