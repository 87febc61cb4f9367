import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Where the page of a jump stands if its key is a number that means nothing to the list.
@Suite struct ListJumpOrderTests {
    @Test(arguments: ["6", "5", "4"])
    func `it stands by its number only where the numbers increase from page to page`(_ next: String) {
        let stage = ListStage(style: .cursor) { $0.initialKey = "10" }
        stage.source.script([.page(stage.page("10", [100, 101], next: "11")).insideFetch], forKey: "10")
        stage.source.script([.page(stage.page("5", [50, 51], next: next)).insideFetch], forKey: "5")
        stage.after { $0.loadNext() }
        stage.after { $0.jump(to: "5") }
        #expect(stage.ids == (next == "6" ? [50, 51, 100, 101] : [100, 101, 50, 51]))
        #expect(stage.list.snapshot.gaps == [2])
    }
}
