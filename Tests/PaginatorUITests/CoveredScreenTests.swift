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
}
