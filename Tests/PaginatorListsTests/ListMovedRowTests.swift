import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Lists over a source that is addressed by offset, of which rows are removed: each removal moves the following keys
/// once, whatever becomes of the row or of its page.
@Suite struct ListMovedRowTests {
    private func remove(_ id: Int, from stage: ListStage) {
        stage.table.pages.items.removeAll { $0.id == id }
        stage.after { $0.edits.remove(id) }
    }

    @Test(arguments: [true, false])
    func `a row that is removed and inserted at the head while its page is refreshed leaves out no other`(
        isAnswerOlder: Bool
    ) throws {
        let stage = ListStage(count: 60, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.refresh(.page("0")) }
        let older = stage.table.pages
        let row = older.items[3]
        remove(3, from: stage)
        stage.table.pages.items.insert(row, at: 0)
        stage.after { $0.edits.insert(row) }
        let call = try #require(stage.source.pendingCalls.first)
        stage.source.answer(call, with: (isAnswerOlder ? older : stage.table.pages).answer(to: call.request))
        stage.settle()
        #expect(stage.ids == stage.firstRows(10))
        stage.loadToTheEnd()
        #expect(stage.ids == stage.firstRows(60) && stage.complaints == [])
    }

    @Test func `rows removed from a first page in whose place another stands move the following keys still`() {
        let stage = ListStage(count: 60, pageSize: 10) { $0.initialKey = "10" }
        stage.after { $0.loadNext() }
        stage.insertLive(1)
        for id in [12, 13] { remove(id, from: stage) }
        // By now the first page begins there, too.
        stage.after { $0.jump(to: "11") }
        #expect(stage.ids == [10, 11] + Array(14..<22) && stage.list.snapshot.gaps == [8])
        stage.after { $0.fillGap(at: 8) }
        #expect(stage.ids == [10, 11] + Array(14..<22) && stage.list.snapshot.gaps == [])
        _ = stage.newKeys()
        stage.after { $0.loadNext() }
        #expect(stage.newKeys() == ["21"] && stage.ids.last == 31 && stage.complaints == [])
    }
}
