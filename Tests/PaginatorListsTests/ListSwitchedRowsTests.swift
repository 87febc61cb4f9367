import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What a list says of its old rows when it switches its scope.
@Suite struct ListSwitchedRowsTests {
    @Test func `rows that are not kept are told as removed before the new ones are told as inserted`() throws {
        let stage = ListStage(count: 40, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang], forKey: "0")
        stage.updates = []
        stage.after { $0.show(scope: "other", keepsItems: false) }
        #expect(stage.ids == [] && stage.updates.map(\.difference.removals).joined().elementsEqual([0..<10]))
        stage.updates = []
        try stage.answer()
        #expect(stage.updates.flatMap(\.difference.insertions).map(\.range) == [0..<10])
    }

    @Test func `a gap among old rows is no failure any more, as no retry would fill it`() throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "50") }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "10")
        stage.after { $0.fillGap(at: 10) }
        #expect(stage.list.status.gaps[10]?.error?.code == .sourceFailed)
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "other") }
        #expect(stage.ids == Array(0..<10) + Array(50..<60) && stage.list.snapshot.gaps == [10])
        #expect(stage.list.status.gaps.isEmpty)
        _ = stage.newKeys()
        stage.after { $0.retry() }
        #expect(stage.newKeys() == [])
        try stage.answer()
        #expect(stage.ids == Array(0..<10) && stage.list.snapshot.gaps == [])
    }
}
