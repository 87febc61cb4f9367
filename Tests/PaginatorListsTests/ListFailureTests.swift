import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What failed and comes back by itself: when, and where the user is by then.
@Suite struct ListFailureTests {
    @Test(arguments: [8, 12, 22])
    func `the connection repeats a failed refresh of all as it was where the rows that it begins with are visible`(
        _ first: Int
    ) {
        let connectivity = ScriptedConnectivity()
        let stage = ListStage(pageSize: 10, connectivity: connectivity) { $0.initialKey = "40" }
        stage.after { $0.loadNext() }
        stage.after { $0.loadPrevious() }
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(30..<60))
        stage.after { $0.hint(visible: first..<first + 5) }
        stage.source.script([.fail(.fatal(ListTrouble())).insideFetch], forKey: "40")
        stage.after { $0.refresh() }
        #expect(stage.list.status.refresh.error?.code == .sourceFailed)
        _ = stage.newKeys()
        for conditions in [.offline, []] as [PaginatorConditions] {
            connectivity.set(conditions)
            stage.settle()
        }
        // The first page of this list is that of key 40.
        let isInPlace = first == 22
        #expect(stage.newKeys().sorted() == (isInPlace ? ["30", "40", "50"] : ["40"]))
        #expect(stage.ids == Array(isInPlace ? 30..<60 : 40..<50))
        #expect(stage.list.status.refresh == .idle && stage.list.snapshot.gaps == [])
    }

    @Test func `a source that fails for ever is called less and less, but at least with every 255th hint`() {
        let stage = ListStage(pageSize: 10) { $0.prefetchDistance = 5 }
        stage.after { $0.loadNext() }
        stage.source.otherwise { _ in .fail(.fatal(ListTrouble())).insideFetch }
        func hint(times: Int) -> Int {
            _ = stage.newKeys()
            for number in 0..<times { stage.after { $0.hint(visible: 4 + number % 2..<9) } }
            return stage.newKeys().count
        }
        #expect(hint(times: 600) == 9)
        #expect(hint(times: 2_550) == 10)
        #expect(stage.list.status.next == .idle && stage.ids == Array(0..<10))
    }
}
