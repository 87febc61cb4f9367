import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Where a list that is made later shows a row after an item that was removed before.
@Suite struct LaterPlaceTests {
    private func laterIDs(_ stage: ListStage) -> [Int] {
        let list = stage.makeOtherList { $0.pageSize = 4 }
        list.loadNext()
        stage.settle()
        return list.snapshot.map(\.id)
    }

    @Test(arguments: [false, true])
    func `a list that is made later shows a row after a removed item nowhere else while its page is not there`(
        _ isOneWay: Bool
    ) {
        let stage = ListStage(style: .cursor, isOneWay: isOneWay, pageSize: 4)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        _ = stage.list.edits.beginInsert(SampleItem(id: -1, text: "row"), at: .after(4))
        stage.after { $0.edits.remove(4) }
        #expect(stage.ids == [0, 1, 2, 3, -1, 5, 6, 7])
        #expect(laterIDs(stage) == [0, 1, 2, 3])
    }

    @Test func `a list that is made later shows a row after a removed item with which another page began`() {
        let stage = ListStage(style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        let page = stage.page("after:3", [3, 4, 5, 6], next: "after:6", previous: "start")
        stage.source.script([.page(page).insideFetch], forKey: "after:3")
        stage.after { $0.loadNext() }
        _ = stage.list.edits.beginInsert(SampleItem(id: -1, text: "row"), at: .after(3))
        stage.after { $0.edits.remove(3) }
        #expect(stage.ids == [0, 1, 2, -1, 4, 5, 6])
        #expect(laterIDs(stage) == [0, 1, 2, -1])
    }

    @Test(arguments: [(other: [1, 2], shown: [0, 1, -1, 3]), (other: [3, 2], shown: [0, 1, 3])])
    func `a list that is made later shows a row after a removed item only where all scopes had the item`(
        _ rows: (other: [Int], shown: [Int])
    ) throws {
        let stage = ListStage(style: .cursor, pageSize: 4)
        stage.after { $0.loadNext() }
        try stage.paginator.prime(stage.page("start", rows.other), pageSize: 4, scope: "other")
        _ = stage.list.edits.beginInsert(SampleItem(id: -1, text: "row"), at: .after(2))
        stage.after { $0.edits.remove(2) }
        #expect(stage.ids == [0, 1, -1, 3])
        #expect(laterIDs(stage) == rows.shown)
    }
}
