import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// A refresh in place of a table that is addressed by offset: whatever has moved, the rows are the server's, in its order,
/// and nothing that was shown without a gap has one afterwards.
@Suite struct ListPlaceTests {
    @Test func `pages that overlap are all new and in order after a refresh in place`() {
        let stage = ListStage(count: 40, pageSize: 7)
        stage.after { $0.loadNext() }
        for key in ["2", "9", "14"] { stage.after { $0.jump(to: key) } }
        #expect(stage.ids == stage.firstRows(21))
        stage.table.pages.insert(3)
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.ids == stage.firstRows(21))
        #expect(stage.list.snapshot.gaps.isEmpty)
        #expect(stage.complaints.isEmpty)
    }

    @Test func `a page takes the offset that another page leaves`() {
        let stage = ListStage(count: 40, pageSize: 4)
        stage.after { $0.loadNext() }
        stage.table.pages.insert(5)
        for key in ["8", "12"] { stage.after { $0.jump(to: key) } }
        #expect(stage.ids == Array(0..<11))
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.ids == stage.firstRows(12))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `a page keeps its offset when it cannot be loaded anew`() {
        let stage = ListStage(count: 40, pageSize: 4)
        stage.after { $0.loadNext() }
        stage.table.pages.insert(5)
        for key in ["8", "12"] { stage.after { $0.jump(to: key) } }
        stage.source.otherwise { [table = stage.table] request in
            request.key == "4"
                ? .fail(.retry(ListTrouble())).insideFetch : .result(table.pages.answer(to: request)).insideFetch
        }
        stage.after { $0.refresh(.keepingPlace) }
        stage.source.otherwise { [table = stage.table] request in
            .result(table.pages.answer(to: request)).insideFetch
        }
        stage.after { $0.retry() }
        #expect(stage.ids == stage.firstRows(12))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `a page that stands out of order gives way to a gap that can be filled`() {
        let stage = ListStage(count: 12, pageSize: 4)
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "8", placement: .end) }
        stage.after { $0.jump(to: "4", placement: .end) }
        #expect(stage.ids == [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7])
        stage.after { $0.refresh(.keepingPlace) }
        #expect(stage.complaints.isEmpty)
        for _ in 0..<4 {
            if let gap = stage.list.snapshot.gaps.first { stage.after { $0.fillGap(at: gap) } }
        }
        #expect(stage.ids == stage.firstRows(12))
        #expect(stage.list.snapshot.gaps.isEmpty)
    }

    @Test func `rows that somebody looks at count again when they come back after a refresh`() {
        let stage = ListStage(pageSize: 4) { $0.prefetchDistance = 4 }
        stage.after { $0.loadNext() }
        stage.table.pages.insert(3)
        stage.list.refresh()
        stage.after { $0.hint(visible: 0..<3) }
        let last = stage.ids.firstIndex(of: 2) ?? 0
        #expect(stage.ids.count - 1 - last >= 4, "rows are loaded ahead of what is looked at")
    }
}
