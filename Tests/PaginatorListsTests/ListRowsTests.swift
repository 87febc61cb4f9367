import PaginatorTesting
import Testing

@testable import PaginatorCore
@testable import PaginatorLists

/// What sits on top of a snapshot.
@Suite struct ListRowsTests {
    @Test func `separators stand between neighbors`() {
        let stage = ListStage(count: 5, pageSize: 5)
        #expect(stage.list.snapshot.separated { _, _ in 0 }.isEmpty)
        stage.after { $0.loadNext() }
        let rows = stage.list.snapshot.separated { before, after -> Int? in
            guard let after else { return nil }
            return before.map { $0.id / 2 } == after.id / 2 ? nil : after.id / 2
        }
        let texts = rows.map { row in
            switch row {
            case .item(let item): "\(item.id)"
            case .separator(let mark): "-\(mark)"
            }
        }
        #expect(texts == ["-0", "0", "1", "-1", "2", "3", "-2", "4"])
    }

    @Test func `map and filter are lazy over the snapshot`() {
        let stage = ListStage(count: 50, pageSize: 10)
        for _ in 0..<3 { stage.after { $0.loadNext() } }
        let even = stage.list.snapshot.lazy.filter { $0.id.isMultiple(of: 2) }.map(\.id)
        #expect(Array(even) == Array(stride(from: 0, to: 30, by: 2)))
    }
}
