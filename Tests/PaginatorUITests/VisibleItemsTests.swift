import Testing

@testable import PaginatorUI

@Suite struct VisibleItemsTests {
    @Test
    func `the visible range reaches from the first visible item to the last, whatever the order they appeared in`() {
        var visible = VisibleItems<String>()
        let positions = ["a": 3, "b": 4, "c": 7]
        for id in ["c", "a", "b", "gone"] { visible.didAppear(id) }
        #expect(visible.range { positions[$0] } == 3..<8)
        #expect(visible.count == 3)
        visible.didDisappear("c")
        #expect(visible.range { positions[$0] } == 3..<5)
        for id in ["a", "b", "gone"] { visible.didDisappear(id) }
        #expect(visible.range { positions[$0] } == nil)
    }
}
