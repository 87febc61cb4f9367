import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What lists that were restored load after the visible page, over a source that is addressed by offset.
@Suite struct ListRestoredLoadTests {
    private func bookmark(_ keys: [String], page: Int, pageSize: Int) throws -> PaginatorListBookmark {
        try PaginatorListBookmark(scope: "", pageSize: pageSize, keys: keys, page: page, item: 0)
    }

    @Test func `pages before the visible one that have not come count as no items of those to load`() throws {
        let stage = ListStage(pageSize: 10)
        try stage.list.restore(bookmark(["0", "10", "20", "30"], page: 1, pageSize: 10))
        stage.settle()
        #expect(stage.ids == Array(10..<20))
        let ends = Guarded<[PaginatorError?]>([])
        stage.after { $0.loadAll(limit: 11) { error in ends.withLock { $0.append(error) } } }
        #expect(stage.ids == Array(10..<30))
        #expect(ends.withLock { $0.count == 1 && $0[0] == nil })
    }

    @Test func `rows that come while a list is restored have its page repeated once, and skip none after it`() throws {
        let stage = ListStage(count: 60)
        stage.source.script([.hang, .hang], forKey: "10")
        try stage.list.restore(bookmark(["8", "10", "12"], page: 1, pageSize: 2))
        stage.settle()
        stage.insertLive(1)
        try stage.answer("10")
        // As many rows as the page has: which of them it counts is still clear.
        stage.insertLive(2)
        try stage.answer("10")
        #expect(stage.ids == [7, 8] && stage.newKeys() == ["10", "10"])
        stage.after { $0.loadNext() }
        #expect(stage.ids == [7, 8, 9, 10] && stage.newKeys() == ["12"])
        #expect(stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `a page that showed that a live row is gone joins the next one after a return to its place`() throws {
        let stage = ListStage(count: 60, pageSize: 10) { $0.initialKey = "10" }
        stage.after { $0.loadNext() }
        // The server has deleted it by the time at which it is told.
        stage.after { $0.insertLive([SampleItem(id: 100, text: "")]) }
        #expect(stage.list.status.newAbove == 1)
        for _ in 0..<3 { stage.after { $0.loadPrevious() } }
        #expect(stage.ids == Array(0..<20) && stage.list.status.newAbove == 0)
        try stage.list.restore(bookmark(["0", "10"], page: 0, pageSize: 10))
        stage.settle()
        #expect(stage.ids == Array(0..<10))
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<20) && stage.list.snapshot.gaps == [])
    }
}
