import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Pages, jumps and places that a refresh, a jump or the source itself has made obsolete do not lead the list astray.
@Suite struct ListObsoletePlaceTests {
    @Test func `a last page whose rows have all moved to the page before it ends the list no more`() {
        let stage = ListStage(count: 13, pageSize: 10)
        stage.loadToTheEnd()
        #expect(stage.ids == Array(0..<13) && stage.list.status.next == .endReached)
        stage.table.pages.remove(2..<5)
        stage.table.pages.insert(20, at: 10)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.ids == stage.firstRows(10) && stage.list.status.next == .idle)
        stage.loadToTheEnd()
        #expect(stage.ids == stage.firstRows(30) && stage.complaints == [])
    }

    @Test func `a last page whose rows are all on the newer page of a jump ends the list no more`() {
        let stage = ListStage(count: 5)
        stage.loadToTheEnd()
        #expect(stage.ids == Array(0..<5) && stage.list.status.next == .endReached)
        stage.table.pages.insert(3, at: 5)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.jump(to: "3") }
        #expect(stage.ids == Array(0..<5) && stage.list.status.next == .idle)
        stage.loadToTheEnd()
        #expect(stage.ids == Array(0..<8) && stage.complaints == [])
    }

    @Test func `pages dropped above the page of a jump come back by their own keys`() {
        let stage = ListStage(count: 200, pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<7 { stage.after { $0.loadNext() } }
        #expect(stage.ids == Array(50..<70))
        // The window has dropped it, with two pages above it and two below.
        stage.after { $0.jump(to: "20") }
        #expect(stage.ids == Array(20..<30) + Array(50..<60) && stage.list.snapshot.gaps == [10])
        stage.paginator.clear(key: "10")
        stage.settle()
        _ = stage.newKeys()
        stage.after { $0.loadPrevious() }
        #expect(stage.newKeys() == ["10"])
        #expect(stage.ids == Array(10..<30) && stage.complaints == [])
    }

    @Test func `a previous key that the list has ends the direction, and is reported once`() {
        let stage = ListStage(style: .cursor) { $0.initialKey = "b" }
        stage.source.script([.page(stage.page("b", [3, 4], previous: "a")).insideFetch], forKey: "b")
        stage.source.script([.page(stage.page("a", [1, 2], next: "b", previous: "b")).insideFetch], forKey: "a")
        stage.after { $0.loadNext() }
        for _ in 0..<3 { stage.after { $0.loadPrevious() } }
        #expect(stage.newKeys() == ["b", "a"])
        #expect(stage.ids == [1, 2, 3, 4] && stage.list.status.previous == .endReached)
        #expect(stage.updates.flatMap(\.notices) == [.repeatedKey("b")])
    }

    @Test func `a jump to an older page stands above though pages name only what is older`() {
        let stage = ListStage(style: .cursor)
        stage.source.script([.page(stage.page("start", [40, 41], previous: "before 40")).insideFetch], forKey: "start")
        stage.source.script([.page(stage.page("old", [10, 11], previous: "before 10")).insideFetch], forKey: "old")
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "old", placement: .start) }
        #expect(stage.ids == [10, 11, 40, 41] && stage.list.snapshot.gaps == [2])
    }

    /// - Parameter isCalled: whether the source is called for both before the refresh, or after it and so new enough.
    @Test(arguments: [true, false])
    func `a jump before the first page came is not lost if the list is refreshed meanwhile`(isCalled: Bool) throws {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.hang, .hang], forKey: "0")
        stage.source.script([.hang], forKey: "50")
        stage.list.loadNext()
        stage.list.jump(to: "50")
        if isCalled { stage.settle() }
        stage.after { $0.refresh() }
        // Its page is faster than the first one, if it is still being loaded.
        if stage.source.pendingCalls.contains(where: { $0.request.key == "50" }) { try stage.answer("50") }
        while !stage.source.pendingCalls.isEmpty { try stage.answer() }
        #expect(stage.ids == Array(0..<10) + Array(50..<60))
        #expect(stage.list.snapshot.gaps == [10] && stage.complaints == [])
    }

    @Test func `a list whose rows were all removed loads ahead as if its new first row were visible`() {
        let stage = ListStage(pageSize: 10) { $0.prefetchDistance = 9 }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 3..<6) }
        #expect(stage.newKeys() == ["0", "10"])
        stage.clock.advance(by: .seconds(1))
        stage.table.pages.shortPages = ["0": 0]
        stage.after { $0.refresh() }
        // Nine rows follow the first one, which is enough.
        #expect(stage.ids == Array(10..<20))
        #expect(stage.newKeys() == ["0", "10"])
    }
}
