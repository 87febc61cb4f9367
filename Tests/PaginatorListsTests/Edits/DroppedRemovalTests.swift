import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// More removals than a paginator keeps for lists that are created later: none of these leaves out a row.
@Suite struct DroppedRemovalTests {
    /// A list that has three pages, over a paginator with a full other scope "b".
    private func stage() throws -> ListStage {
        let stage = ListStage(count: 60, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        for page in 0..<14 {
            let ids = Array(1_000 + page * 10..<1_010 + page * 10)
            try stage.paginator.prime(stage.page("\(page * 10)", ids), pageSize: 10, scope: "b")
        }
        stage.settle()
        stage.clock.advance(by: .seconds(1))
        return stage
    }

    private func remove(_ ids: Range<Int>, on stage: ListStage) {
        for id in ids { stage.after { $0.edits.remove(id) } }
    }

    @Test func `a list that is created after a removal that is kept no longer leaves out no row`() throws {
        let stage = try stage()
        stage.table.pages.remove(5..<6)
        remove(5..<6, on: stage)
        // All scopes share the number of removals that are kept.
        remove(1_000..<1_128, on: stage)
        let list = stage.makeOtherList { $0.addressing = .offset }
        for _ in 0..<10 {
            if let gap = list.snapshot.gaps.first { list.fillGap(at: gap) } else { list.loadNext() }
            stage.settle()
        }
        #expect(list.snapshot.map(\.id) == stage.table.pages.items.map(\.id) && list.snapshot.gaps == [])
    }

    @Test func `only the pages of its scope become stale, and once for the removals that are kept then`() throws {
        let stage = try stage()
        func asks(for key: String, in scope: String) -> Bool {
            _ = stage.newKeys()
            stage.paginator.fetch(key: key, pageSize: 10, scope: scope) { _ in }
            stage.settle()
            return stage.newKeys() == [key]
        }
        stage.table.scopes["b"] = stage.table.pages
        remove(1_000..<1_128, on: stage)
        #expect(!asks(for: "130", in: "b"))
        remove(1_128..<1_129, on: stage)
        #expect(!asks(for: "0", in: "") && asks(for: "0", in: "b"))
        remove(1_129..<1_130, on: stage)
        #expect(!asks(for: "0", in: "b"))
    }
}
