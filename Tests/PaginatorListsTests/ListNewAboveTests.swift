import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Rows that wait above those that are shown.
@Suite struct ListNewAboveTests {
    @Test func `rows of which a hundred reports tell the number are all counted, until the first page has come anew`() {
        let following = FollowingStage.loaded()
        let stage = following.stage
        following.follow()
        for count in 1...100 { following.tell(.newRows(count)) }
        #expect(stage.list.status.newAbove == 5_050)
        stage.after { $0.refresh(.firstPage) }
        #expect(stage.list.status.newAbove == 0)
    }

    @Test func `whoever goes to the start looks at the newest row, however many have waited above`() {
        let stage = ListStage(count: 10, pageSize: 10) { $0.windowItems = 20 }
        stage.after { $0.loadNext() }
        stage.after { $0.hint(visible: 0..<5) }
        stage.after { $0.insertLive((1_000..<1_060).map { SampleItem(id: $0, text: "") }) }
        #expect(stage.list.status.newAbove > 0)
        stage.after { $0.jump(to: "0", placement: .start) }
        #expect(stage.list.status.newAbove == 0)
        #expect(stage.ids == Array((1_000..<1_060).reversed()) + Array(0..<10))
        #expect(stage.list.status.jump != nil && stage.updates.last?.anchor == 0)
    }

    @Test func `while the first page is not loaded, no other page has the rows of which only the number is known`() {
        let following = FollowingStage.loaded(ListStage(pageSize: 4) { $0.initialKey = "8" })
        let stage = following.stage
        following.follow()
        following.tell(.newRows(3))
        #expect(stage.list.status.newAbove == 3)
        stage.after { $0.refresh(.page("8")) }
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == Array(4..<12) && stage.list.status.newAbove == 3)
        stage.after { $0.loadPrevious() }
        #expect(stage.ids == Array(0..<12) && stage.list.status.newAbove == 0)
    }

    @Test(arguments: [0, -3])
    func `a report of no rows counts none`(_ count: Int) {
        let following = FollowingStage.loaded()
        following.follow()
        following.tell(.newRows(count))
        #expect(following.stage.list.status.newAbove == 0)
        following.tell(.newRows(2))
        #expect(following.stage.list.status.newAbove == 2)
    }
}
