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
        let view = FakeSwiftUIView(stage)
        let memory = view.memory
        func follow() {
            view.follow()
            // What a view does as the number of rows changes.
            stage.run { memory.didScroll(in: stage.list) }
        }
        func insert(_ ids: Range<Int>) {
            stage.run { stage.list.insertLive(ids.map { SampleItem(id: $0, text: "live") }) }
        }
        follow()
        view.appear(10..<15)
        view.disappear(10..<15)
        #expect(view.anchor == 10)
        insert(100..<102)
        follow()
        #expect(memory.takeScroll() == .keep(10, from: 10, to: 12))
        insert(102..<103)
        follow()
        #expect(memory.takeScroll() == .keep(10, from: 12, to: 13))
        #expect(memory.newAbove == 3)
        view.appear(10..<15)
        #expect(view.anchor == 13 && memory.newAbove == 3)
    }

    enum Leaving { case covered, scrolled, jumped }

    @Test(arguments: [Leaving.covered, .scrolled, .jumped])
    func `a screen that is covered on its way to the end goes on, and not if its reader has left`(how: Leaving) {
        let view = FakeSwiftUIView.onItsWayToTheEnd()
        // The next page has come, and the view has not been told.
        view.disappear(how == .scrolled ? 87..<90 : 84..<90)
        // Of the rows of a jump none has appeared before the others are gone.
        if how == .jumped { view.appear(80..<84) }
        view.follow(followsEnd: true)
        #expect(view.memory.lastID == 99 && (view.memory.takeScroll() == .goToEnd) == (how == .covered))
    }
}
