import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Items that have become other ones.
@Suite struct MergedIdentityTests {
    @Test(arguments: [7, 77])
    func `an edit by the identity that an item had before changes nothing`(newID: Int) {
        let stage = ListStage(count: 60, pageSize: 10)
        stage.after { $0.loadNext() }
        let edit = stage.list.edits.begin(5) { $0 }
        stage.settle()
        stage.after { _ in edit.commit(with: SampleItem(id: newID, text: "new")) }
        // The list has item 7 already, and item 77 not yet.
        let ids = [0, 1, 2, 3, 4] + (newID == 77 ? [77] : []) + [6, 7, 8, 9]
        #expect(stage.ids == ids && stage.list.engine.machine.invariantViolations() == [])
        let updates = stage.updates.count
        stage.after { $0.edits.update(5) { _ in nil } }
        #expect(stage.ids == ids && stage.updates.count == updates)
        stage.after { $0.loadNext() }
        #expect(stage.ids == ids + Array(10..<20) && stage.list.snapshot.gaps == [])
    }

    @Test func `a second edit of an item that gets another identity is also in a list of another scope`() {
        let stage = ListStage()
        stage.table.scopes["open"] = stage.table.pages
        stage.table.scopes["open"]?.remove(1..<2)
        let other = stage.makeOtherList { ($0.scope, $0.pageSize) = ("open", 2) }
        other.loadNext()
        stage.after { $0.loadNext() }
        let first = stage.list.edits.begin(1) { $0 }
        let second = stage.list.edits.begin(1) { SampleItem(id: $0.id, text: $0.text + " done") }
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        stage.table.scopes["open"]?.items.insert(SampleItem(id: 77, text: "task"), at: 0)
        first.commit(with: SampleItem(id: 77, text: "task"))
        other.refresh()
        stage.settle()
        #expect(stage.list.snapshot.first { $0.id == 77 }?.text == "task done")
        #expect(other.snapshot.first { $0.id == 77 }?.text == "task done")
        second.commit()
        stage.settle()
        #expect(other.snapshot.first { $0.id == 77 }?.text == "task done")
        #expect(!other.snapshot.isPending(at: 0))
    }
}
