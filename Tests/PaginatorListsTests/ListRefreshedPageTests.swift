import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Single pages that are loaded again while their neighbors stay, and lists that begin again.
@Suite struct ListRefreshedPageTests {
    @Test func `a page that is refreshed alone stands behind a gap if a row has moved past its start`() {
        let stage = ListStage(count: 40, pageSize: 10)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.remove(5..<6)
        stage.clock.advance(by: .seconds(1))
        stage.after { $0.refresh(.page("10")) }
        #expect(stage.ids == Array(0..<10) + Array(11..<21) && stage.list.snapshot.gaps == [10])
        stage.after { $0.fillGap(at: 10) }
        #expect(stage.ids == stage.firstRows(20) && stage.list.snapshot.gaps == [] && stage.complaints == [])
    }

    @Test func `the page of a jump can be refreshed while the first page is still on its way`() throws {
        let stage = ListStage(pageSize: 10)
        stage.source.script([.hang], forKey: "0")
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "50") }
        #expect(stage.ids == Array(50..<60))
        stage.table.pages.items[50].text = "new"
        stage.after { $0.refresh(.page("50")) }
        #expect(stage.list.snapshot.first?.text == "new")
        try stage.answer("0")
        #expect(stage.ids == Array(0..<10) + Array(50..<60) && stage.complaints == [])
    }

    @Test(arguments: [PaginatorListRefresh.all, .firstPage, .keepingPlace])
    func `a refresh during another one ends once the source was asked again`(_ refresh: PaginatorListRefresh) throws {
        let stage = ListStage(pageSize: 10)
        stage.after { $0.loadNext() }
        stage.source.script([.hang, .hang], forKey: "0")
        let ends = Guarded<[Int]>([])
        stage.after { $0.refresh(refresh) { error in ends.withLock { $0.append(error == nil ? 1 : 0) } } }
        stage.after { $0.refresh(refresh) { error in ends.withLock { $0.append(error == nil ? 2 : 0) } } }
        try stage.answer()
        #expect(ends.withLock { $0 } == [1])
        try stage.answer()
        #expect(ends.withLock { $0 } == [1, 2])
    }

    @Test func `a page of the window stays in memory under the key that a removal has given it`() {
        let stage = ListStage(pageSize: 10) { $0.windowItems = 20 }
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.table.pages.remove(3..<4)
        stage.after { $0.edits.remove(3) }
        stage.after { $0.refresh(.page("10")) }
        #expect(stage.newKeys() == ["0", "10", "9"])
        stage.paginator.trim(toFraction: 0)
        stage.settle()
        #expect(stage.paginator.peek(key: "9", pageSize: 10) != nil)
        #expect(stage.paginator.peek(key: "10", pageSize: 10) == nil)
        stage.after { $0.reset() }
        stage.paginator.trim(toFraction: 0)
        stage.settle()
        #expect(stage.paginator.peek(key: "9", pageSize: 10) == nil)
    }

    @Test func `a reset forgets rows that the source pushed, and keeps those that are being inserted`() {
        let stage = ListStage(count: 40, pageSize: 10)
        stage.after { $0.loadNext() }
        stage.after { $0.insertLive([SampleItem(id: 100, text: "pushed")]) }
        let insert = stage.list.edits.beginInsert(SampleItem(id: 101, text: "draft"))
        stage.settle()
        #expect(stage.ids == [101, 100] + Array(0..<10))
        stage.after { $0.reset() }
        #expect(stage.ids == [] && stage.list.status.newAbove == 1)
        stage.after { $0.loadNext() }
        #expect(stage.ids == [101] + Array(0..<10))
        insert.rollBack()
        stage.settle()
        #expect(stage.ids == Array(0..<10))
    }
}
