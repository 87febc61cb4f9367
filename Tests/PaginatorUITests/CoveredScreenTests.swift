import PaginatorCore
import PaginatorLists
import PaginatorTesting
import Testing

@testable import PaginatorUI

/// What SwiftUI does while another screen covers one: all rows disappear, one after the other.
@MainActor @Suite struct CoveredScreenTests {
    @Test func `rows that another screen covers keep their place, and new ones above them are counted`() {
        let stage = ShelfStage(0..<30)
        stage.load(30)
        let memory = ScreenMemory<SampleItem, Int>()
        var anchor: Int?
        stage.list.observe(onMain: { anchor = $0.anchor })
        func follow() {
            _ = memory.follow(stage.list.snapshot, stage.list.status, anchor: anchor)
            // What a view does as the number of rows changes.
            stage.run { memory.didScroll(in: stage.list) }
        }
        func insert(_ ids: Range<Int>) {
            stage.run { stage.list.insertLive(ids.map { SampleItem(id: $0, text: "live") }) }
        }
        follow()
        stage.run { for id in 10..<15 { memory.didAppear(id, in: stage.list) } }
        stage.run { for id in 10..<15 { memory.didDisappear(id, in: stage.list) } }
        #expect(anchor == 10)
        insert(100..<102)
        follow()
        #expect(memory.takeScroll() == .keep(10, from: 10, to: 12))
        insert(102..<103)
        follow()
        #expect(memory.takeScroll() == .keep(10, from: 12, to: 13))
        #expect(memory.newAbove == 3)
        stage.run { for id in 10..<15 { memory.didAppear(id, in: stage.list) } }
        #expect(anchor == 13 && memory.newAbove == 3)
    }

    enum Leaving { case covered, scrolled, jumped }

    @Test(arguments: [Leaving.covered, .scrolled, .jumped])
    func `a screen that is covered on its way to the end goes on, and not if its reader has left`(how: Leaving) {
        let stage = ShelfStage(0..<100)
        stage.load(10)
        let memory = ScreenMemory<SampleItem, Int>()
        var anchor: Int?
        stage.list.observe(onMain: { anchor = $0.anchor })
        func follow() {
            _ = memory.follow(stage.list.snapshot, stage.list.status, anchor: anchor, followsEnd: true)
        }
        func appear(_ ids: Range<Int>) { stage.run { for id in ids { memory.didAppear(id, in: stage.list) } } }
        func disappear(_ ids: Range<Int>) { stage.run { for id in ids { memory.didDisappear(id, in: stage.list) } } }
        follow()
        _ = memory.takeScroll()
        appear(0..<6)
        stage.run { _ = memory.go(to: .end, of: stage.list, lastKey: "80") }
        follow()
        #expect(memory.takeScroll() == .goToEnd && memory.lastID == 89)
        disappear(0..<6)
        appear(84..<90)
        // The next page has come, and the view has not been told.
        disappear(how == .scrolled ? 87..<90 : 84..<90)
        // Of the rows of a jump none has appeared before the others are gone.
        if how == .jumped { appear(80..<84) }
        follow()
        #expect(memory.lastID == 99 && (memory.takeScroll() == .goToEnd) == (how == .covered))
    }
}
