import PaginatorCore
import PaginatorTesting
import Testing

@testable import PaginatorLists

@Suite("Removals before a launch")
struct ListRemovalAfterLaunchTests {
    @Test(arguments: [[5], [0, 1, 19], Array(5..<15), Array(0..<20)])
    func `rows removed before a launch leave nothing out after it`(_ gone: [Int]) {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = ListStage(count: 60, pageSize: 20, store: store)
        before.after { $0.loadNext() }
        for id in gone.reversed() { before.table.pages.remove(id..<id + 1) }
        for id in gone { before.after { $0.edits.remove(id) } }

        let after = ListStage(count: 60, pageSize: 20, store: store)
        after.table.pages = before.table.pages
        after.loadToTheEnd()
        #expect(after.ids == (0..<60).filter { !gone.contains($0) })
        #expect(after.list.snapshot.gaps == [])
    }

    @Test func `a page before a cursor that lost a row comes from the file after a launch`() {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = ListStage(count: 60, style: .cursor, pageSize: 20, store: store)
        before.after { $0.loadNext() }
        before.after { $0.edits.remove(5) }

        let after = ListStage(count: 60, style: .cursor, pageSize: 20, store: store)
        after.after { $0.loadNext() }
        #expect(after.ids == (0..<20).filter { $0 != 5 })
        #expect(after.newKeys() == [])
    }

    @Test func `without a connection a page that lost a row is still shown after a launch`() {
        let store = ScriptedStore<SampleItem>(answersInside: true)
        let before = ListStage(count: 60, pageSize: 20, store: store)
        before.after { $0.loadNext() }
        before.after { $0.edits.remove(5) }

        let after = ListStage(count: 60, pageSize: 20, store: store, connectivity: ScriptedConnectivity(.offline))
        after.after { $0.loadNext() }
        #expect(after.ids == (0..<20).filter { $0 != 5 })
    }
}
