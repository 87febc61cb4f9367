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

    @Test func `edits of an inserted row still apply after its insert when its scope begins again`() {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        _ = stage.list.edits.beginInsert(SampleItem(id: -1, text: "draft"))
        let changed = stage.list.edits.begin(-1) { SampleItem(id: $0.id, text: $0.text + "!") }
        _ = stage.list.edits.beginInsert(SampleItem(id: 1, text: "copy"))
        let removed = stage.list.edits.begin(1) { _ in nil }
        stage.settle()
        #expect(stage.ids == [-1, 0, 2, 3])
        stage.after { $0.show(scope: "") }
        #expect(stage.ids == [-1, 0, 2, 3] && stage.list.snapshot[id: -1]?.text == "draft!")
        changed.rollBack()
        removed.rollBack()
        stage.settle()
        #expect(stage.ids == [-1, 0, 1, 2, 3] && stage.list.snapshot[id: -1]?.text == "draft")
    }

    @Test func `what is inserted while the scope begins again is shown at once among the kept rows`() throws {
        let stage = ListStage(pageSize: 4)
        stage.after { $0.loadNext() }
        stage.paginator.clear(key: "0")
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.show(scope: "") }
        let draft = stage.list.edits.beginInsert(SampleItem(id: -1, text: "draft"))
        stage.settle()
        stage.after { $0.insertLive([SampleItem(id: 500, text: "")]) }
        #expect(stage.ids == [500, -1, 0, 1, 2, 3])
        try stage.answer()
        #expect(stage.ids == [500, -1, 0, 1, 2, 3] && stage.list.status.refresh == .idle)
        draft.rollBack()
        stage.settle()
        #expect(stage.ids == [500, 0, 1, 2, 3])
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
