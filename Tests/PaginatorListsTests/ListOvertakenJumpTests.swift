import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// Jumps whose page another load brings first.
@Suite struct ListOvertakenJumpTests {
    @Test func `a jump goes to the first row of its page, also where an older one from the caches came first`() throws {
        let stage = ListStage(style: .cursor)
        for _ in 0..<2 { stage.after { $0.loadNext() } }
        stage.paginator.prefetch(keys: ["after:3"], pageSize: 2)
        stage.settle()
        stage.after { $0.refresh(.firstPage) }
        // A jump wants a page as new as the refresh, and the next page need only be as new as the one before it.
        stage.source.script([.hang], forKey: "after:3")
        stage.after { $0.jump(to: "after:3") }
        stage.after { $0.loadNext() }
        #expect(stage.ids == Array(0..<6) && stage.list.status.refresh == .loading)
        stage.table.pages.insert(1, at: 4)
        try stage.answer("after:3")
        #expect(stage.ids == [0, 1, 2, 3, 100, 4] && stage.complaints == [])
        #expect(stage.updates.last?.anchor.map { stage.ids[$0] } == 100)
    }
}
